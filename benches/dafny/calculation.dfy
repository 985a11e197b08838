// A calculation step by step.
function F(n: nat): nat { if n == 0 then 1 else 2 * F(n - 1) }
lemma Sums(a: nat, b: nat)
  ensures F(a + b) == F(a) * F(b)
{
  if a != 0 {
    calc {
      F(a + b);
      2 * F(a + b - 1);
      { Sums(a - 1, b); }
      2 * (F(a - 1) * F(b));
      (2 * F(a - 1)) * F(b);
      F(a) * F(b);
    }
  }
}
lemma Grows(n: nat)
  ensures F(n) > n
{
}
