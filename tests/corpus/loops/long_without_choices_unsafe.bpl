//# expect: unsafe
// As the other one, with a claim that is wrong in the end.
procedure long()
{
  var x, i, unused: int;
  var seen: [int]int;
  x := 1;
  i := 0;
  while (i < 100000) {
    x := (x * 5 + 3) mod 17;
    seen[x] := i;
    i := i + 1;
  }
  assert x != 1; // FAILS
  assert seen[x] == 99999;
}
