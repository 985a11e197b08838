//# expect: unsafe
// A free postcondition of a procedure whose body is there is neither checked nor assumed.
procedure lies(x: int) returns (r: int)
  free ensures r > x;
{
  r := x;
}

procedure main()
{
  var r: int;
  call r := lies(3);
  assert r == 3;
  assert false;   // FAILS
}
