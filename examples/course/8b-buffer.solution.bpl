//# expect: safe
// Solution of exercise 8b: a full buffer takes no more. Bounded model checking alone does not see that this is enough: there is
// no longest run. `--engine kinduction` does.

procedure buffer()
{
  var used: int;
  used := 0;
  while (*) {
    if (*) {
      assume used > 0;
      used := used - 1;
    } else if (used < 8) {
      used := used + 1;
    }
    assert 0 <= used && used <= 8;
  }
}
