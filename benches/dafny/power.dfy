// Powers by squaring, with a lemma.
function Pow(b: int, e: nat): int { if e == 0 then 1 else b * Pow(b, e - 1) }
lemma Halves(b: int, e: nat)
  ensures Pow(b * b, e) == Pow(b, 2 * e)
{
  if e != 0 {
    Halves(b, e - 1);
    assert Pow(b, 2 * e) == b * Pow(b, 2 * e - 1) == b * (b * Pow(b, 2 * e - 2));
    assert b * (b * Pow(b, 2 * e - 2)) == (b * b) * Pow(b, 2 * (e - 1));
  }
}
method Power(b: int, n: nat) returns (r: int)
  ensures r == Pow(b, n)
{
  r := 1;
  var i := 0;
  while i < n
    invariant 0 <= i <= n
    invariant r == Pow(b, i)
  {
    r := b * r;
    i := i + 1;
  }
}
