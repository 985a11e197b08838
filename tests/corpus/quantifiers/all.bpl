//# expect: safe
procedure p(a: [int]int, k: int)
  requires (forall i: int :: 0 <= i ==> a[i] > i);
  requires k >= 0;
{
  assert a[k] > k;
  assert (exists i: int :: a[i] > 10);
}
