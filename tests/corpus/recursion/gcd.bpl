//# expect: safe
procedure gcd(a: int, b: int) returns (r: int)
{
  if (a == b) {
    r := a;
  } else if (a > b) {
    call r := gcd(a - b, b);
  } else {
    call r := gcd(a, b - a);
  }
}

procedure main(a: int, b: int)
{
  var r: int;
  assume a > 0 && b > 0;
  call r := gcd(a, b);
  assert r > 0;
  assert r <= a && r <= b;
}
