//# expect: safe
procedure p(n: int)
{
  var a: [int]int;
  a := (lambda i: int :: i + n);
  assert a[3] == n + 3;
}
