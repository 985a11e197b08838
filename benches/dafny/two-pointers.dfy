// The first pair with a given sum, with two nested loops.
method Pair(a: array<int>, sum: int) returns (found: bool, x: nat, y: nat)
  ensures found ==> x < y < a.Length && a[x] + a[y] == sum
  ensures !found ==> forall i, j :: 0 <= i < j < a.Length ==> a[i] + a[j] != sum
{
  found, x, y := false, 0, 0;
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length
    invariant forall k, j :: 0 <= k < i && k < j < a.Length ==> a[k] + a[j] != sum
  {
    var j := i + 1;
    while j < a.Length
      invariant i < j <= a.Length
      invariant forall k :: i < k < j ==> a[i] + a[k] != sum
    {
      if a[i] + a[j] == sum { return true, i, j; }
      j := j + 1;
    }
    i := i + 1;
  }
}
