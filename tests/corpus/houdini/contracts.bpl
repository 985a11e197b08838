//# expect: safe
//# assumes: `needed` is true
//# assumes: `too_much` is false
//# assumes: `kept` is true
//# assumes: `broken` is false
//# assumes: `after` is true
//# assumes: `chain` is false
//# flags: --modular
// What one procedure keeps depends on what others do.
const {:existential true} needed, too_much, kept, broken, after, chain: bool;

procedure half(n: int) returns (r: int)
  requires needed ==> n >= 0;
  requires too_much ==> n >= 10;
  ensures kept ==> r <= n;
  ensures broken ==> r == n;
  ensures after ==> needed ==> r >= 0;
{
  r := n;
  if (n > 0) { r := r - 1; }
}

procedure main()
{
  var r: int;
  call r := half(3);
  assert r <= 3;
  assert chain ==> r == 3;
  call r := half(r);
}
