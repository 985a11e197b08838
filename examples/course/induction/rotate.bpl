// Exercise: strengthening. Three numbers change places for ever. That the first two differ is true, and
// k-induction sees it: with three rounds in a row, not with one. Strengthen the invariant, so that one round is
// enough. The assertion behind the loop stays.
//
// How it is checked: `ult check --modular`.

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    invariant a != b;
  {
    a, b, c := b, c, a;
  }
  assert a != b;
}
