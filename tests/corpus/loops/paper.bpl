//# expect: safe
//# flags: -Z blocks=none
//# flags: -Z blocks=sequence
//# flags: -Z interpolation=cubes
// The loop moves amounts between three variables; their sum stays the same.
procedure p(total: int)
{
  var a, b, c: int;
  a, b, c := total, 0, 0;
  while (*) {
    if (*) { a, b := a - 1, b + 1; }
    if (*) { b, c := b - 1, c + 1; }
  }
  if (a == 0 && b == 0) {
    assert c == total;
  }
}
