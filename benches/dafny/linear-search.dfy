// The first place of a key.
method Find(a: array<int>, key: int) returns (i: nat)
  ensures i <= a.Length
  ensures i < a.Length ==> a[i] == key
  ensures forall j :: 0 <= j < i ==> a[j] != key
{
  i := 0;
  while i < a.Length && a[i] != key
    invariant i <= a.Length
    invariant forall j :: 0 <= j < i ==> a[j] != key
  {
    i := i + 1;
  }
}
