//# expect: unsafe
//# flags: --calls once
procedure pick() returns (r: int);
  ensures r > 0;

implementation pick() returns (r: int)
{
  r := 1;
}

implementation pick() returns (r: int)
{
  r := 2;
}

procedure main()
{
  var r: int;
  call r := pick();
  assert r == 1 || r == 2;
  assert r == 1; // FAILS
}
