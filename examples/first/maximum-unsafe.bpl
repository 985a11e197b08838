//# expect: unsafe
// As maximum.bpl, but the last element is not looked at.

procedure maximum(a: [int]int, n: int) returns (m: int)
  requires n > 0;
  ensures (forall k: int :: 0 <= k && k < n ==> a[k] <= m);
{
  var i: int;

  m := a[0];
  i := 1;
  while (i < n - 1) {
    if (a[i] > m) {
      m := a[i];
    }
    i := i + 1;
  }
} // FAILS
