// Insertion sort by exchanges of neighbours.
method InsertionSort(a: array<int>)
  modifies a
  ensures forall i, j :: 0 <= i < j < a.Length ==> a[i] <= a[j]
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length
    invariant forall i, j :: 0 <= i < j < n ==> a[i] <= a[j]
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    var k := n;
    while k > 0 && a[k-1] > a[k]
      invariant 0 <= k <= n
      invariant forall i, j :: 0 <= i < j <= n && j != k ==> a[i] <= a[j]
      invariant multiset(a[..]) == multiset(old(a[..]))
    {
      a[k-1], a[k] := a[k], a[k-1];
      k := k - 1;
    }
    n := n + 1;
  }
}
