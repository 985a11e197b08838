// As ../sum.bpl, but without its precondition: what it ensures is violated for n == 0.
procedure sum(n: int) returns (s: int)
  ensures s > n;
{
  var i: int;
  i, s := 0, 0;
  while (i < n) {
    i := i + 1;
    s := s + i;
  }
}
