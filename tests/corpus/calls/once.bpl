//# expect: safe
//# flags: --calls once
//# flags: --calls once --engine predicate
//# flags: --calls once --engine kinduction
//# flags: --calls inline
// Each call returns to where it came from, from calls within calls as well, and the body is in the graph once.
var g: int;

procedure add(a: int, b: int) returns (c: int)
{
  c := a + b;
}

procedure twice(a: int) returns (c: int)
  modifies g;
{
  var old_g: int;
  old_g := g;
  call c := add(a, a);
  call g := add(g, 1);
  assert g == old(g) + 1 && old(g) == old_g;
}

procedure ULTIMATE.start()
  modifies g;
{
  var x, y: int;
  g := 0;
  call x := twice(3);
  assert x == 6 && g == 1;
  call y := twice(x);
  assert x == 6 && y == 12 && g == 2;
  call x := add(x, y);
  assert x == 18 && y == 12;
  while (*)
    invariant g >= 2;
  {
    call y := twice(1);
    assert y == 2;
  }
}
