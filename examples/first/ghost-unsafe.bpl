//# expect: unsafe
// As ghost.bpl, but each sum is remembered one place too early.

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
    sums[i] := s;
    i := i + 1;
  }
} // FAILS
