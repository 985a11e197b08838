// Exercise: a full buffer. A buffer has 8 places. Bounded model checking finds a run into the assertion, and says
// after how many rounds. Mend `put`, which puts something into the buffer if there is room.

procedure put(used: int) returns (now: int)
{
  now := used;
  if (used <= 8) {
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
