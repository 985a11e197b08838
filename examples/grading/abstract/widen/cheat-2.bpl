// A trick.

function infinity() returns (int) { 1000000 }

function widen(old_bound: int, new_bound: int) returns (int)
{
  if new_bound <= old_bound then old_bound else infinity()
}

procedure sound(a: int, b: int)
{
  assume a <= infinity() && b <= infinity();
  assert widen(a, b) >= a && widen(a, b) >= b;
}

procedure stable(a: int, b: int)
{
  assume b <= a;
  assert widen(a, b) == a;
}

procedure ends(a: int, b: int)
{
  var w: int;
  assume a < b && b <= infinity();
  w := widen(a, b);
  assert w == 10 || w == 100 || w == infinity();
}

procedure careful(a: int, b: int)
{
  assume a < b && b <= 100;
  assert b <= 10 ==> widen(a, b) <= 10;
}
