// A typical mistake.

function next(x: int) returns (int)
{
  if x == 0 then 1 else if x == 1 then 2 else if x == 7 then 8 else if x == 8 then 9 else if x == 9 then 5 else 0
}

function k() returns (int) { 2 }

procedure base()
{
  var x, i: int;
  x, i := 0, 0;
  while (i < k()) {
    assert x != 5;
    x, i := next(x), i + 1;
  }
}

procedure step(start: int)
{
  var x, i: int;
  x, i := start, 0;
  while (i < k()) {
    assume x != 5;
    x, i := next(x), i + 1;
  }
  assert x != 5;
}
