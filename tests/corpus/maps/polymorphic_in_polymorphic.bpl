//# expect: unsafe
//# flags: --modular
// Elements of polymorphic maps that are polymorphic maps themselves, as Viper's permission masks in its heaps.
type Ref;
type Field A B;
type Plain;
type Frame;
type Heap = <A, B> [Ref, Field A B]B;
type Mask = <A, B> [Ref, Field A B]bool;
// The same type.
type Other = <C, D> [Ref, Field C D]bool;

const unique f: Field Plain int;
const unique g: Field Plain bool;
const unique m: Field Frame Mask;
const unique n: Field Frame Other;
var H: Heap;

procedure nested(x: Ref, y: Ref)
  modifies H;
{
  H[x, m] := H[x, m][y, f := true];
  assert H[x, m][y, f];
  H[x, n] := H[x, m][y, g := false];
  assert H[x, n][y, f] && !H[x, n][y, g];
  assert H[x, m][y, f];
  assert H[x, m][y, g];    // FAILS
}
