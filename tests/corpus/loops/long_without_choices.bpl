//# expect: safe
//# flags: --engine execution
// There is no input: that the only run ends well is all there is to know. What was in the map before is open, and does not matter.
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
  assert x == 1;
  assert seen[x] == 99999;
}
