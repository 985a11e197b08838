// Slices and concatenations.
lemma Slices<T>(s: seq<T>, i: nat, j: nat)
  requires i <= j <= |s|
  ensures s[..i] + s[i..j] + s[j..] == s
{
}
function Sum(s: seq<int>): int { if s == [] then 0 else s[0] + Sum(s[1..]) }
lemma SumOfAppend(a: seq<int>, b: seq<int>)
  ensures Sum(a + b) == Sum(a) + Sum(b)
{
  if a == [] {
    assert a + b == b;
  } else {
    assert (a + b)[1..] == a[1..] + b;
  }
}
method Total(a: array<int>) returns (t: int)
  ensures t == Sum(a[..])
{
  t := 0;
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length && t == Sum(a[..n])
  {
    assert a[..n + 1] == a[..n] + [a[n]];
    SumOfAppend(a[..n], [a[n]]);
    t := t + a[n];
    n := n + 1;
  }
  assert a[..n] == a[..];
}
