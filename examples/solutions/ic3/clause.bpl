// A solution: where the new a is set, the old a was not, and so the new b is not.

function clause(a: bool, b: bool, c: bool) returns (bool) { !a || !b }

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
