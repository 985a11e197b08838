//# expect: safe
// A ring of four cells: engines on bits give each a variable.
procedure p()
{
  var ring: [int]int;
  var at, rounds: int;
  ring := (lambda i: int :: 0);
  at := 0;
  rounds := 0;
  while (*)
    invariant 0 <= at && at < 4;
  {
    ring[at] := 2 - ring[at];
    at := (at + 1) mod 4;
    assert ring[0] == 0 || ring[0] == 2;
  }
  assert ring[3] != 1;
}
