//# expect: safe
// A loop that always makes the same number of rounds. For the lesson on bounds and induction.

procedure table()
{
  var i, s: int;
  i, s := 0, 0;
  while (i < 5) {
    s := s + i;
    i := i + 1;
  }
  assert s == 10;
}
