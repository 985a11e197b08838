// A typical mistake.

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    invariant a != b && b != c;
  {
    a, b, c := b, c, a;
  }
  assert a != b;
}
