//# expect: unsafe
//# flags: --engine execution
// No step is taken a billion times: one formula says what each round does.
procedure billion()
{
  var i, sum: int;
  i := 0;
  sum := 5;
  while (i < 1000000000) {
    if (i == 777777777) { sum := sum + 1; }
    sum := sum + 3;
    i := i + 1;
  }
  assert sum != 3000000006; // FAILS
}
