//# expect: unsafe
// One that has no value at all.
function grows(n: int): int { grows(n + 1) + 1 }

procedure main(x: int)
{
  assert x != 12;   // FAILS
}
