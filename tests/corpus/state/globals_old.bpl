//# expect: safe
//# flags: --calls contract
var g: int;

procedure inc()
  modifies g;
  ensures g == old(g) + 1;
{
  g := g + 1;
}

procedure main()
  modifies g;
  ensures g == old(g) + 2;
{
  call inc();
  call inc();
}
