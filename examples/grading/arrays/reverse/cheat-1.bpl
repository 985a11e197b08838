// A trick.

procedure backwards(a: [int]int, n: int) returns (b: [int]int)
  ensures (forall k: int :: 0 <= k && k < n ==> b[k] == a[n - 1 - k]);
{
  var i: int;
  i := 0;
  while (i < n)
    // invariant ...;
  {
    b := a;
    i := i + 1;
  }
}
