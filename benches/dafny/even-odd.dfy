// Two predicates that call each other.
predicate Even(n: nat) { n == 0 || Odd(n - 1) }
predicate Odd(n: nat) { n != 0 && Even(n - 1) }
lemma Either(n: nat)
  ensures Even(n) <==> !Odd(n)
{
}
lemma Two(n: nat)
  ensures Even(n) ==> Even(n + 2)
{
}
lemma Remainder(n: nat)
  ensures Even(n) <==> n % 2 == 0
  decreases n
{
  if n >= 2 { Remainder(n - 2); }
}
