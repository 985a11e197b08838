//# expect: safe
//# flags: --modular expect: unsafe
// Exercise 8a. Three numbers change places for ever. That the first two differ is true, and k-induction sees it: with
// three rounds in a row, not with one. Strengthen the invariant, so that one round is enough (`ult check --modular`).

procedure rotate()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    invariant a != b; // FAILS
  {
    a, b, c := b, c, a;
  }
}
