//# expect: unknown(unsupported)
//# flags: --modular
// Each of these assertions can fail for some type, and none may be called proved.
type Ref;
type Field _;
const f: Field int;
const g: Field bool;
var H: <a>[Ref, Field a]a;

procedure changed(r: Ref)
  modifies H;
  ensures (forall<a> o: Ref, x: Field a :: H[o, x] == old(H)[o, x]);
{
  H[r, f] := 1;
}

procedure another_type(r: Ref)
  modifies H;
{
  havoc H;
  assume (forall o: Ref, x: Field int :: H[o, x] == old(H)[o, x]);
  assume (forall o: Ref, x: Field bool :: H[o, x] == old(H)[o, x]);
  assert (forall<a> o: Ref, x: Field a :: H[o, x] == old(H)[o, x]);
}

// Two types may fail, one for each half.
procedure alternatives(r: Ref, F: <a>[Ref, Field a]bool, G: <a>[Ref, Field a]bool)
{
  assume (forall<a> x: Field a :: F[r, x] || G[r, x]);
  assert (forall<a> x: Field a :: F[r, x]) || (forall<a> x: Field a :: G[r, x]);
}

// For each object another type may fail.
procedure objects(F: <a>[Ref, Field a]bool)
{
  assert (exists o: Ref :: (forall<a> x: Field a :: F[o, x]));
}
