//# expect: unsafe
procedure p(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    invariant i > 0; // FAILS
  {
    i := i + 1;
  }
}
