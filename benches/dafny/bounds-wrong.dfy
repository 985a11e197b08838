// The index one behind the end.
method Shift(a: array<int>)
  modifies a
{
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length
  {
    a[i] := a[i + 1];
    i := i + 1;
  }
}
method Zero(a: array2<int>)
  modifies a
  ensures forall i, j :: 0 <= i < a.Length0 && 0 <= j < a.Length1 ==> a[i, j] == 0
{
  forall i, j | 0 <= i < a.Length0 && 0 <= j < a.Length1 { a[i, j] := 0; }
}
