//# expect: safe
// The numbers of IEEE 754: the same as Boogie's `==` has it, and equal as `fp.eq` has it.
function {:builtin "fp.eq"} equal(float24e8, float24e8) returns (bool);
function {:builtin "fp.isNaN"} nan(float24e8) returns (bool);

procedure main()
{
  var x, y: float24e8;
  var h: float11e5;

  assert 0NaN24e8 == 0NaN24e8 && !equal(0NaN24e8, 0NaN24e8);
  assert 0x0.0e0f24e8 != -0x0.0e0f24e8 && equal(0x0.0e0f24e8, -0x0.0e0f24e8);
  assert 0x1.0e0f24e8 + 0x2.0e0f24e8 == 0x3.0e0f24e8;
  assert 0x1.0e0f24e8 / 0x0.0e0f24e8 == 0+oo24e8;
  havoc x, y;
  if (x < y) {
    assert !nan(x) && !(y <= x);
  }
  havoc h;
  assume h > 0x1.0e0f11e5;
  assert h * h >= h;
}
