//# expect: safe
procedure p(x: int)
{
  var y: int;
  y := if x < 0 then -x else x;
  assert y >= 0;
  assert (if x < 0 then 0 - x else x) == y;
}
