// Bubble sort: the result is sorted, and has the same elements.
predicate Sorted(a: array<int>, from: int, to: int)
  reads a
  requires 0 <= from <= to <= a.Length
{
  forall i, j :: from <= i < j < to ==> a[i] <= a[j]
}
method BubbleSort(a: array<int>)
  modifies a
  ensures Sorted(a, 0, a.Length)
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  var n := a.Length;
  while n > 1
    invariant 0 <= n <= a.Length
    invariant Sorted(a, n, a.Length)
    invariant forall i, j :: 0 <= i < n <= j < a.Length ==> a[i] <= a[j]
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    var i := 1;
    while i < n
      invariant 1 <= i <= n
      invariant Sorted(a, n, a.Length)
      invariant forall k :: 0 <= k < i ==> a[k] <= a[i-1]
      invariant forall k, j :: 0 <= k < n <= j < a.Length ==> a[k] <= a[j]
      invariant multiset(a[..]) == multiset(old(a[..]))
    {
      if a[i-1] > a[i] { a[i-1], a[i] := a[i], a[i-1]; }
      i := i + 1;
    }
    n := n - 1;
  }
}
