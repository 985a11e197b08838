//# expect: unsafe
// The quotient by zero is some value, always the same one, and nobody knows which.
procedure p(a: int, b: int)
{
  assume b == 0;
  assert a div b == a div 0;
  assert a div b == 0; // FAILS
}
