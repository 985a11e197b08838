// A typical mistake.

function A(x: int) returns (bool) { true }

procedure start_to_other()
{
  var x: int;
  x := 0;
  assert A(x);
}

procedure A_to_other(y: int)
{
  var x: int;
  x := y;
  assume A(x);
  x := x + 2;
  assert A(x);
}

procedure A_to_error(x: int)
{
  assume A(x);
  assert x != 5;
}
