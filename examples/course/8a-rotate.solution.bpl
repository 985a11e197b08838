//# expect: safe
//# flags: --modular
// Solution of exercise 8a: the three rounds say that all pairs differ, and that is an invariant which one round keeps.

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    invariant a != b && b != c && c != a;
  {
    a, b, c := b, c, a;
  }
}
