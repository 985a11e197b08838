//# expect: unknown(unsupported)
//# flags: --modular
// A heap in a heap has no end; a type parameter may stand for a mask. None of this holds.
type Ref;
type Field A B;
type Frame;
type Heap = <A, B> [Ref, Field A B]B;
type Mask = <A, B> [Ref, Field A B]bool;
const unique m: Field Frame Mask;
const unique h: Field Frame Heap;
var H: Heap;

procedure heap_in_heap(x: Ref)
  modifies H;
{
  H[x, h] := H;
  assert H[x, h][x, h] == H;
}

procedure may_be_the_same<T>(x: Ref, k: Field Frame T, v: T, p: Mask)
  modifies H;
{
  H[x, m] := p;
  H[x, k] := v;
  assert H[x, m] == p;
}

procedure may_be_the_same_in_turn<T>(x: Ref, k: Field Frame T, v: T, p: Mask)
  modifies H;
{
  H[x, k] := v;
  H[x, m] := p;
  assert H[x, k] == v;
}
