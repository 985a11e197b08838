// A map of counts.
method Counts(s: seq<int>) returns (m: map<int, nat>)
  ensures forall x :: x in m <==> x in s
  ensures forall x :: x in m ==> m[x] == multiset(s)[x]
{
  m := map[];
  var n := 0;
  while n < |s|
    invariant 0 <= n <= |s|
    invariant forall x :: x in m <==> x in s[..n]
    invariant forall x :: x in m ==> m[x] == multiset(s[..n])[x]
  {
    assert s[..n + 1] == s[..n] + [s[n]];
    if s[n] in m { m := m[s[n] := m[s[n]] + 1]; } else { m := m[s[n] := 1]; }
    n := n + 1;
  }
  assert s[..n] == s;
}
