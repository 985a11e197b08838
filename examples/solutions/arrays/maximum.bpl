// A solution: both postconditions, with i for n where that is what changes.

procedure maximum(a: [int]int, n: int) returns (m: int, at: int)
  requires n > 0;
  ensures (forall k: int :: 0 <= k && k < n ==> a[k] <= m);
  ensures 0 <= at && at < n && a[at] == m;
{
  var i: int;
  m, at, i := a[0], 0, 1;
  while (i < n)
    invariant (forall k: int :: 0 <= k && k < i ==> a[k] <= m);
    invariant 0 <= at && at < n && a[at] == m;
    invariant i > 0;
  {
    if (a[i] > m) {
      m, at := a[i], i;
    }
    i := i + 1;
  }
}
