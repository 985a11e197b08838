//# expect: safe
// Binary search in a sorted array: what is found is what was looked for, and what is not found is not there. The
// invariants are written down: left of `low` everything is smaller, and right of `high` larger.

procedure search(a: [int]int, n: int, key: int) returns (found: bool, at: int)
  requires n >= 0;
  requires (forall i, j: int :: 0 <= i && i <= j && j < n ==> a[i] <= a[j]);
  ensures found ==> 0 <= at && at < n && a[at] == key;
  ensures !found ==> (forall k: int :: 0 <= k && k < n ==> a[k] != key);
{
  var low, high, middle: int;

  low, high := 0, n;
  found, at := false, 0;
  while (low < high && !found)
    invariant 0 <= low && high <= n;
    invariant found ==> 0 <= at && at < n && a[at] == key;
    invariant (forall k: int :: 0 <= k && k < low ==> a[k] < key);
    invariant (forall k: int :: high <= k && k < n ==> a[k] > key);
  {
    middle := (low + high) div 2;
    if (a[middle] < key) {
      low := middle + 1;
    } else if (a[middle] > key) {
      high := middle;
    } else {
      found, at := true, middle;
    }
  }
}
