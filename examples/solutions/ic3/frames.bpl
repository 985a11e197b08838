// A solution: every step keeps multiples of 4.

function next(x: int) returns (int) { if x < 20 then x + 4 else 0 }

function F1(x: int) returns (bool) { x mod 2 == 0 && x mod 4 == 0 }

function F2(x: int) returns (bool) { x mod 4 == 0 }

procedure initially()
{
  assert F1(0);
}

procedure step(x: int)
{
  assume F1(x);
  assert F2(next(x));
}

procedure safe(x: int)
{
  assume F2(x);
  assert x != 10;
}

procedure same(x: int)
{
  assert F1(x) <==> F2(x);
}
