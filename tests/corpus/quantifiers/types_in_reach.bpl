//# expect: unknown(unsupported)
//# flags: --modular
// The axiom cannot be expressed, and a proof might need it.
type Field _;
type Ref;
type Heap = <a>[Ref, Field a]a;
const f: Field int;
function equal(Heap, Heap): bool;
axiom (forall h: Heap, k: Heap :: {equal(h, k)}
  (forall<a> r: Ref, g: Field a :: h[r, g] == k[r, g]) ==> equal(h, k));

procedure open(h: Heap, r: Ref)
{
  assert equal(h, h[r, f := h[r, f]]);
}
