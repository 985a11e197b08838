// A copy in a new array.
method Copy<T>(a: array<T>) returns (b: array<T>)
  requires a.Length > 0
  ensures fresh(b)
  ensures a[..] == b[..]
{
  var first := a[0];
  b := new T[a.Length](_ => first);
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length
    invariant forall i :: 0 <= i < n ==> b[i] == a[i]
  {
    b[n] := a[n];
    n := n + 1;
  }
}
