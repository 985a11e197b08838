//# expect: safe
// The sum of an array, and a ghost: a map that remembers every sum on the way, for the sake of the proof only.

procedure total(a: [int]int, n: int) returns (s: int, sums: [int]int)
  requires n >= 0;
  ensures sums[0] == 0 && sums[n] == s;
  ensures (forall k: int :: 0 <= k && k < n ==> sums[k + 1] == sums[k] + a[k]);
{
  var i: int;

  i, s := 0, 0;
  sums[0] := 0;
  while (i < n) {
    s := s + a[i];
    i := i + 1;
    sums[i] := s;
  }
}
