// A trick.

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    free invariant a != b;
  {
    a, b, c := b, c, a;
  }
  assert a != b;
}
