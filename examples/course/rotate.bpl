//# expect: safe
// Three numbers change places for ever. For the lesson on bounds and induction.

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*) {
    assert a != b;
    a, b, c := b, c, a;
  }
}
