// Exercise: blocking a cube. Three bits begin with 0, 0, 0. A step copies a to b and b to c, and sets a only if c
// is not set and b is not. The state a, b = 1, 1 is bad. Find a clause (an "or" of bits and their negations) that
// excludes it, holds at first, and is kept by a step.

function clause(a: bool, b: bool, c: bool) returns (bool) { true }

procedure initially()
{
  assert clause(false, false, false);
}

procedure kept(a: bool, b: bool, c: bool, set: bool)
{
  assume clause(a, b, c);
  assert clause(set && !b && !c && !a, a, b);
}

procedure excludes(c: bool)
{
  assert !clause(true, true, c);
}
