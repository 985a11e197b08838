//# expect: safe
//# flags: --modular
procedure p(n: int) returns (s: int)
  requires n >= 0;
  ensures s == 2 * n;
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant i <= n;
    invariant s == 2 * i;
  {
    i := i + 1;
    s := s + 2;
  }
}
