//# expect: safe
function size<a>(m: [int]a): int;
axiom (forall<a> m: [int]a :: {size(m)} size(m) >= 0);
function other<a>(a): int;
axiom (forall<a> x: a :: {other(x)} other(x) > 5);

procedure p(m: [int]bool)
{
  var i: int;
  i := 0;
  while (i < size(m)) { i := i + 1; }
  assert i == size(m);
}
