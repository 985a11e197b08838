//# expect: safe
// The largest element of an array: no element is larger.

procedure maximum(a: [int]int, n: int) returns (m: int)
  requires n > 0;
  ensures (forall k: int :: 0 <= k && k < n ==> a[k] <= m);
{
  var i: int;

  m := a[0];
  i := 1;
  while (i < n) {
    if (a[i] > m) {
      m := a[i];
    }
    i := i + 1;
  }
}
