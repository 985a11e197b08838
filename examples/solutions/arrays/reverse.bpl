// A solution: what is copied so far.

procedure backwards(a: [int]int, n: int) returns (b: [int]int)
  ensures (forall k: int :: 0 <= k && k < n ==> b[k] == a[n - 1 - k]);
{
  var i: int;
  i := 0;
  while (i < n)
    invariant (forall k: int :: 0 <= k && k < i ==> b[k] == a[n - 1 - k]);
  {
    b[i] := a[n - 1 - i];
    i := i + 1;
  }
}
