//# expect: unsafe
//# flags: --modular
// In an inlined body such a variable is not true at first.
procedure {:inline 1} body()
{
  var {:assumption} a: bool;
  assert a;   // FAILS
}

procedure main()
{
  call body();
}
