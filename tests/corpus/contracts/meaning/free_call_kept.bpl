//# expect: safe
// A free call whose precondition holds all the same.
procedure pos(x: int) returns (r: int)
  requires x > 0;
  ensures r > 1;
{
  assert x > 0;
  r := x + 1;
}

procedure main(n: int)
  requires n > 3;
{
  var r: int;
  free call r := pos(n - 3);
  assert r == n - 2;
}
