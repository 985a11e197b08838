// A solution: the three rounds say that all pairs differ, and that is an invariant which one round keeps.

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    invariant a != b && b != c && c != a;
  {
    a, b, c := b, c, a;
  }
  assert a != b;
}
