//# expect: unsafe
//# flags: --calls once
procedure root(x: int) returns (y: int);
  requires x >= 0;

procedure main(x: int)
{
  var y: int;
  call y := root(x * x);
  call y := root(x); // FAILS
}
