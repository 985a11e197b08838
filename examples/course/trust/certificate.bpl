// Exercise: a certificate. For the program
//
//     x := 0;  while (x < 10) { x := x + 1; }  y := x;  while (y > 0) { y := y - 1; }  assert y == 0;
//
// the checker asks five questions, one a procedure. Fill in the invariants of the two loops.

function I1(x: int) returns (bool) { true }

function I2(y: int) returns (bool) { true }

procedure entry()
{
  assert I1(0);
}

procedure round1(x: int)
{
  assume I1(x) && x < 10;
  assert I1(x + 1);
}

procedure between(x: int)
{
  assume I1(x) && x >= 10;
  assert I2(x);
}

procedure round2(y: int)
{
  assume I2(y) && y > 0;
  assert I2(y - 1);
}

procedure exit(y: int)
{
  assume I2(y) && y <= 0;
  assert y == 0;
}
