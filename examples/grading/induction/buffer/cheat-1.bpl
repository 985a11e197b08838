// A trick.

procedure put(used: int) returns (now: int)
{
  now := used;
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
