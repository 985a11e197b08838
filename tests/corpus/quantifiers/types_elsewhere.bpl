//# expect: unknown(run-rejected)
//# flags: --modular
type Ref;
type Field _;
const f: Field int;

// What a lambda is at other types is not said.
procedure lambdas(r: Ref, s: Ref)
{
  var F, G: <a>[Ref, Field a]bool;
  F := (lambda<a> o: Ref, x: Field a :: o == r);
  G := (lambda<a> o: Ref, x: Field a :: o == s);
  assume F[r, f] == G[r, f];
  assert F == G;
}
