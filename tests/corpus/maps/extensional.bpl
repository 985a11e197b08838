//# expect: safe
procedure p(a: [int]int)
{
  assert a[1 := a[1]] == a;
  assert a[1 := 2][1 := a[1]] == a;
}
