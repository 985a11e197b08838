//# expect: safe
// The depth of the recursion is counted in a global, which is as before when all calls are back.
var depth: int;
var deepest: int;

procedure visit(n: int)
  modifies depth, deepest;
{
  depth := depth + 1;
  if (depth > deepest) { deepest := depth; }
  if (n > 0) {
    call visit(n - 1);
    if (*) { call visit(n - 2); }
  }
  depth := depth - 1;
}

procedure main(n: int)
  modifies depth, deepest;
{
  depth := 0;
  deepest := 0;
  call visit(n);
  assert depth == 0;
  assert deepest >= 1;
}
