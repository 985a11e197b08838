//# expect: safe
procedure q(x: int) returns (y: int);
  free requires x > 0;
  free ensures y > 0;

procedure p(x: int)
  free requires x == 1;
{
  var y: int;
  call y := q(-1);
  assert y > 0 && x == 1;
}
