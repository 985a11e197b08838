//# expect: safe
// Where the procedure is verified on its own, it is assumed.
procedure trusted(x: int) returns (r: int)
  free requires x > 0;
  ensures r > 0;
{
  r := x;
}

procedure main(n: int)
{
  var r: int;
  call r := trusted(5);
  assert r == 5;
}
