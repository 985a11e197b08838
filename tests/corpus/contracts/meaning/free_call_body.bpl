//# expect: unsafe
//# flags: --modular expect: safe
// What the body relies on does not hold.
procedure reciprocal(x: int) returns (r: int)
  requires x != 0;
{
  assert x != 0;   // FAILS
  r := 10 div x;
}

procedure main()
{
  var r: int;
  free call r := reciprocal(0);
}
