//# expect: unsafe
// Axioms that say what a function is at every place.
function inc(int) returns (int);
axiom (forall i: int :: inc(i) == i + 1);

function minus(x: int, y: int) returns (int);
axiom (forall x, y: int :: minus(y, x) == y - x);

function positive(x: int) returns (bool);
axiom (forall i: int :: i > 0 <==> positive(i));

procedure a(x: int)
{
  assert inc(2) == 42; // FAILS
}

procedure b(x: int, y: int)
{
  assert minus(x, y) + y == x;
  assert minus(x, y) == minus(y, x); // FAILS
}

procedure c(x: int)
{
  assert positive(x) || positive(1 - x);
  assert positive(x); // FAILS
}
