//# expect: unsafe
procedure p(x: real)
{
  if (x > 1.5) {
    assert x >= 1.75; // FAILS
  }
}
