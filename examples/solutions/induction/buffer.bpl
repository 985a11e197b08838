// A solution: a full buffer takes no more. Bounded model checking alone does not see that this is enough: there is
// no longest run. k-induction does.

procedure put(used: int) returns (now: int)
{
  now := used;
  if (used < 8) {
    now := used + 1;
  }
}

procedure buffer()
{
  var used: int;
  used := 0;
  while (*) {
    if (*) {
      assume used > 0;
      used := used - 1;
    } else {
      call used := put(used);
    }
    assert 0 <= used && used <= 8;
  }
}
