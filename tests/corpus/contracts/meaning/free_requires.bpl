//# expect: unsafe
// A free precondition says nothing at a call: nobody checks it.
procedure trusted(x: int) returns (r: int)
  free requires x > 0;
{
  r := x;
}

procedure main()
{
  var r: int;
  call r := trusted(0);
  assert r == 0;
  assert r > 0;   // FAILS
}
