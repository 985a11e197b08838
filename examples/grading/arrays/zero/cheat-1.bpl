// A trick.

procedure zero(n: int) returns (a: [int]int)
  ensures (forall k: int :: 0 <= k && k < 0 ==> a[k] == 0);
{
  var i: int;
  i := 0;
  while (i < n)
  {
    a[i] := 0;
    i := i + 1;
  }
}
