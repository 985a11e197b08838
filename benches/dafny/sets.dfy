// Laws of sets, and a set that is emptied.
lemma Laws<T>(a: set<T>, b: set<T>, c: set<T>)
  ensures a * (b + c) == a * b + a * c
  ensures a - (b + c) == (a - b) - c
  ensures a <= b && b <= c ==> a <= c
{
}
method Count(s: set<int>) returns (n: nat)
  ensures n == |s|
{
  var rest := s;
  n := 0;
  while rest != {}
    invariant n + |rest| == |s|
    decreases rest
  {
    var x :| x in rest;
    rest := rest - {x};
    n := n + 1;
  }
}
