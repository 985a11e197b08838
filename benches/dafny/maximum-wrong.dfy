// The last element is not looked at.
method Max(a: array<int>) returns (m: int)
  requires a.Length > 0
  ensures forall i :: 0 <= i < a.Length ==> a[i] <= m
{
  m := a[0];
  var n := 1;
  while n < a.Length - 1
    invariant 1 <= n <= a.Length
    invariant forall i :: 0 <= i < n ==> a[i] <= m
  {
    if a[n] > m { m := a[n]; }
    n := n + 1;
  }
}
