// The sum of the first numbers, by induction.
function Sum(n: nat): nat { if n == 0 then 0 else n + Sum(n - 1) }
lemma Gauss(n: nat)
  ensures 2 * Sum(n) == n * (n + 1)
{
}
function Odds(n: nat): nat { if n == 0 then 0 else 2 * n - 1 + Odds(n - 1) }
lemma Squares(n: nat)
  ensures Odds(n) == n * n
{
}
