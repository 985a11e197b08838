// The step of quicksort: small elements before large ones.
method Partition(a: array<int>, pivot: int) returns (p: int)
  modifies a
  ensures 0 <= p <= a.Length
  ensures forall i :: 0 <= i < p ==> a[i] < pivot
  ensures forall i :: p <= i < a.Length ==> a[i] >= pivot
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  p := 0;
  var n := 0;
  while n < a.Length
    invariant 0 <= p <= n <= a.Length
    invariant forall i :: 0 <= i < p ==> a[i] < pivot
    invariant forall i :: p <= i < n ==> a[i] >= pivot
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    if a[n] < pivot {
      a[p], a[n] := a[n], a[p];
      p := p + 1;
    }
    n := n + 1;
  }
}
