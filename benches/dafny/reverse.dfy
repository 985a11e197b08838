// An array is reversed in place.
method Reverse(a: array<int>)
  modifies a
  ensures forall i :: 0 <= i < a.Length ==> a[i] == old(a[a.Length - 1 - i])
{
  var n := 0;
  while n < a.Length - 1 - n
    invariant 0 <= n <= a.Length
    invariant n <= a.Length - n
    invariant forall i :: 0 <= i < n ==> a[i] == old(a[a.Length - 1 - i]) && a[a.Length - 1 - i] == old(a[i])
    invariant forall i :: n <= i < a.Length - n ==> a[i] == old(a[i])
  {
    a[n], a[a.Length - 1 - n] := a[a.Length - 1 - n], a[n];
    n := n + 1;
  }
}
