//# expect: unknown(not-proved)
//# flags: --modular
// As types_of_maps.bpl; what is said of the types that occur is less than is meant, so there is no run.
type Ref;
type Field A B;
type Plain;
type Mask = <A, B> [Ref, Field A B]real;
const unique f: Field Plain int;
const ZeroMask: Mask;
axiom (forall <A, B> o: Ref, k: Field A B :: { ZeroMask[o, k] } ZeroMask[o, k] == 0.0);
var M: Mask;

procedure main(x: Ref)
{
  assert M[x, f] == ZeroMask[x, f];
}
