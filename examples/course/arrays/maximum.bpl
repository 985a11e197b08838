// Exercise: the largest element. Write the invariants: nothing seen so far is larger, and `m` is the element at
// `at`.
//
// How it is checked: `ult check --modular`.

procedure maximum(a: [int]int, n: int) returns (m: int, at: int)
  requires n > 0;
  ensures (forall k: int :: 0 <= k && k < n ==> a[k] <= m);
  ensures 0 <= at && at < n && a[at] == m;
{
  var i: int;
  m, at, i := a[0], 0, 1;
  while (i < n)
    // invariant ...;
  {
    if (a[i] > m) {
      m, at := a[i], i;
    }
    i := i + 1;
  }
}
