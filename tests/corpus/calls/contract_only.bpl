//# expect: safe
//# flags: --calls once
procedure choose(n: int) returns (r: int);
  requires n > 0;
  ensures 0 <= r && r < n;

procedure main()
{
  var r: int;
  call r := choose(10);
  assert r <= 9;
}
