// Exercise: widening. A widening makes the sequence of bounds end. Write one for upper bounds: the result is at
// least both arguments, it is the old bound if the new one is not larger, and else the next one of 10, 100 and
// infinity (a number that stands for it).

function infinity() returns (int) { 1000000 }

function widen(old_bound: int, new_bound: int) returns (int)
{
  new_bound
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
  assert widen(a, b) <= 100;
  assert b <= 10 ==> widen(a, b) <= 10;
}
