// Two sorted sequences are merged.
predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }
method Merge(a: seq<int>, b: seq<int>) returns (c: seq<int>)
  requires Sorted(a) && Sorted(b)
  ensures Sorted(c)
  ensures |c| == |a| + |b|
{
  c := [];
  var i, j := 0, 0;
  while i < |a| || j < |b|
    invariant 0 <= i <= |a| && 0 <= j <= |b|
    invariant |c| == i + j
    invariant Sorted(c)
    invariant forall k, m :: 0 <= k < |c| && i <= m < |a| ==> c[k] <= a[m]
    invariant forall k, m :: 0 <= k < |c| && j <= m < |b| ==> c[k] <= b[m]
    decreases |a| - i + |b| - j
  {
    if j == |b| || (i < |a| && a[i] <= b[j]) {
      c := c + [a[i]];
      i := i + 1;
    } else {
      c := c + [b[j]];
      j := j + 1;
    }
  }
}
