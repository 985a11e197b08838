// Exercise: the absolute value. Write postconditions of `abs` with which `distance` is proved. The caller sees the
// contract only.
//
// How it is checked: `ult check --modular`.

procedure abs(x: int) returns (y: int)
  ensures y >= 0;
{
  y := x;
  if (y < 0) {
    y := -y;
  }
}

procedure distance(a: int, b: int)
{
  var d, e: int;
  call d := abs(a - b);
  call e := abs(b - a);
  assert d == e;
}
