//# expect: unsafe
//# flags: --calls once
//# flags: --calls once --engine bmc
//# flags: --calls once --engine impact
// What is violated in a body that is there once is violated by one of its calls, and not by the other.
var g: bool;

procedure set(b: bool)
  modifies g;
{
  assert g || b; // FAILS
  g := b;
}

procedure ULTIMATE.start()
  modifies g;
{
  g := true;
  call set(false);
  assert !g;
  call set(true);
  assert g;
  call set(false);
  call set(g);
  assert false;
}
