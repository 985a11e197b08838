//# expect: unsafe
// Exercise 8b. A buffer has 8 places. Bounded model checking finds a run into the assertion, and says after how many
// rounds. Mend the condition under which something is put into the buffer.

procedure buffer()
{
  var used: int;
  used := 0;
  while (*) {
    if (*) {
      assume used > 0;
      used := used - 1;
    } else if (used <= 8) {
      used := used + 1;
    }
    assert 0 <= used && used <= 8; // FAILS
  }
}
