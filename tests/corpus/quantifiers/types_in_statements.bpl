//# expect: safe
//# flags: --modular
// What quantifies over types in contracts and statements: frame conditions, as generators write them.
type Ref;
type Field _;
const f: Field int;
const g: Field bool;
var H: <a>[Ref, Field a]a;

procedure set(r: Ref)
  modifies H;
  ensures H[r, f] == 1;
  ensures (forall<a> o: Ref, x: Field a :: o != r ==> H[o, x] == old(H)[o, x]);
{
  H[r, f] := 1;
}

procedure twice(r: Ref, s: Ref)
  modifies H;
  ensures (forall<a> o: Ref, x: Field a :: o != r && o != s ==> H[o, x] == old(H)[o, x]);
{
  call set(r);
  call set(s);
  H[s, g] := true;
  assert r != s ==> H[r, f] == 1;
}

procedure frames(r: Ref) returns (b: bool)
{
  var F: <a>[Ref, Field a]bool;
  F := (lambda<a> o: Ref, x: Field a :: o == r);
  assert F[r, f] && F[r, g];
  assert (forall<a> o: Ref, x: Field a :: F[o, x] ==> o == r);
  assert (forall o: Ref :: o != r ==> (forall<a> x: Field a :: !F[o, x]));
  b := (forall<a> o: Ref, x: Field a :: false ==> F[o, x]);
  assert b;
}

function frame(h: <a>[Ref, Field a]a, k: <a>[Ref, Field a]a): bool;
axiom (forall h: <a>[Ref, Field a]a, k: <a>[Ref, Field a]a :: { frame(h, k) }
  frame(h, k) ==> (forall<a> o: Ref, x: Field a :: h[o, x] == k[o, x]));

procedure inside_of_an_axiom(r: Ref)
  modifies H;
{
  havoc H;
  assume frame(old(H), H);
  assert H[r, f] == old(H[r, f]);
}
