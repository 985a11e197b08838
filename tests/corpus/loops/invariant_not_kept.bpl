//# expect: unsafe
procedure p()
{
  var i: int;
  i := 0;
  while (i < 3)
    invariant i <= 2; // FAILS
  {
    i := i + 1;
  }
}
