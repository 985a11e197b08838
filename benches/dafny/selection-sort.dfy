// Selection sort.
method SelectionSort(a: array<int>)
  modifies a
  ensures forall i, j :: 0 <= i < j < a.Length ==> a[i] <= a[j]
  ensures multiset(a[..]) == old(multiset(a[..]))
{
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length
    invariant forall i, j :: 0 <= i < n <= j < a.Length ==> a[i] <= a[j]
    invariant forall i, j :: 0 <= i < j < n ==> a[i] <= a[j]
    invariant multiset(a[..]) == old(multiset(a[..]))
  {
    var least := n;
    var m := n + 1;
    while m < a.Length
      invariant n <= least < m <= a.Length
      invariant forall i :: n <= i < m ==> a[least] <= a[i]
    {
      if a[m] < a[least] { least := m; }
      m := m + 1;
    }
    a[n], a[least] := a[least], a[n];
    n := n + 1;
  }
}
