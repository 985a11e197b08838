//# expect: unknown(not-proved)
//# flags: --modular
// The axiom cannot be expressed. Its trigger is nowhere, so a proof would not have used it; still, it may exclude runs.
type Field _;
type Ref;
type Heap = <a>[Ref, Field a]a;
const f: Field int;
function equal(Heap, Heap): bool;
axiom (forall h: Heap, k: Heap :: {equal(h, k)}
  (forall<a> r: Ref, g: Field a :: h[r, g] == k[r, g]) ==> equal(h, k));

procedure wrong(h: Heap, r: Ref)
{
  assert h[r, f] == 4;
}
