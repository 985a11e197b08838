// Exercise: one split. The program
//
//     x := 0;  while (*) { x := x + 2; }  assert x != 5;
//
// is proved by one split of the loop's head: into A, and a node that is not reached. Find A.

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
