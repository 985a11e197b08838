//# expect: unknown(not-proved)
//# flags: --modular
// What is said of all types is said of those that are there. A run that this lets through may be none of the program.
type Field _;
type Ref;
type Heap = <a>[Ref, Field a]a;
const f: Field int;
function same(Heap, Heap): bool;
axiom (forall h: Heap, k: Heap :: {same(h, k)}
  same(h, k) ==> (forall<a> r: Ref, g: Field a :: h[r, g] == k[r, g]));

procedure assumed(h: Heap, q: Ref, r: Ref)
{
  assume (forall<a> o: Ref, g: Field a :: h[o, g] == h[r, g]);
  assert h[q, f] == h[r, f];
  assert h[r, f] == 4;
}

procedure demanded(h: Heap, r: Ref)
  requires (forall<a> g: Field a, x: a, y: a :: g != g || h[r, g] == h[r, g]);
  requires (forall<a> g: Field a :: h[r, g] == h[r, g] && g == g);
{
  assert h[r, f] == 4;
}

procedure by_an_axiom(h: Heap, k: Heap, r: Ref)
  requires same(h, k);
{
  assert h[r, f] == k[r, f];
  assert h[r, f] == k[r, f] + 1;
}
