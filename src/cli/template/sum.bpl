// The sum of the first n numbers. `ult` finds the loop invariant.
procedure sum(n: int) returns (s: int)
  requires n >= 0;
  ensures s >= n;
{
  var i: int;
  i, s := 0, 0;
  while (i < n) {
    i := i + 1;
    s := s + i;
  }
}
