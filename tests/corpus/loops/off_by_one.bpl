//# expect: unsafe
procedure p(n: int)
  requires n >= 0;
{
  var i: int;
  i := 0;
  while (i <= n) { i := i + 1; }
  assert i == n; // FAILS
}
