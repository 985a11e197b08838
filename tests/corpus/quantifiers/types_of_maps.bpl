//# expect: safe
//# flags: --modular
// Axioms about all types that mention no polymorphic function, but polymorphic maps, as in Viper's background.
type Ref;
type Field A B;
type Plain;
type Heap = <A, B> [Ref, Field A B]B;
type Mask = <A, B> [Ref, Field A B]real;
const unique f: Field Plain int;
const unique allocated: Field Plain bool;
const ZeroMask: Mask;
axiom (forall <A, B> o: Ref, k: Field A B :: { ZeroMask[o, k] } ZeroMask[o, k] == 0.0);
function after(H0: Heap, H1: Heap): bool;
axiom (forall <A, B> H: Heap, o: Ref, k: Field A B, v: B :: { H[o, k := v] } after(H, H[o, k := v]));
function direct<A, B>(M: Mask, o: Ref, k: Field A B): bool;
axiom (forall <A, B> M: Mask, o: Ref, k: Field A B :: { direct(M, o, k) } direct(M, o, k) <==> M[o, k] > 0.0);
var H: Heap;
var M: Mask;

procedure main(x: Ref)
  modifies H, M;
{
  var before: Heap;
  before := H;
  M := ZeroMask;
  assert !direct(M, x, f);
  H[x, allocated] := true;
  assert after(before, H);
  M[x, f] := M[x, f] + 1.0;
  assert direct(M, x, f);
}
