// A trick.

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    invariant a != b;
  {
    a, b, c := a, b, c;
  }
  assert a != b;
}
