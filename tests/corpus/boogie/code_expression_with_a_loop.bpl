//# expect: unknown(unsupported)
procedure p(x: int)
{
  assert |{ var y: int; A: y := x; goto B; B: goto A, C; C: return y == x; }|;
}
