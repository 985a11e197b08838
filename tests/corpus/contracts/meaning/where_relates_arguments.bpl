//# expect: unsafe
// Also a clause about two parameters.
procedure ordered(a: int, b: int where a < b) returns (d: int)
{
  d := b - a;
}

procedure main(a: int, b: int)
{
  var d: int;
  call d := ordered(a, b);
  assert d > 0;   // FAILS
}
