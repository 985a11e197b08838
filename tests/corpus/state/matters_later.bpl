//# expect: safe
//# flags: --engine explicit
// Two values are not known. What they were compared for matters later, when they are compared again.
procedure p(limit: int, other: int)
{
  var low, mode: int;
  low, mode := 0, 0;
  if (limit < other) { mode := 1; }
  while (*) {
    if (mode == 1) {
      if (limit >= other) { low := 1; }
    } else {
      low := 0;
    }
    assert low == 0;
  }
}
