//# expect: unsafe
function max(x: int, y: int) returns (int) { if x > y then x else y }

procedure p(a: int, b: int)
{
  assert max(a, b) >= a && max(a, b) >= b;
  assert max(a, b) == a; // FAILS
}
