// Exercise: division by subtraction. The contract of the procedure is right, its invariant is not. Mend the
// invariant, so that everything is proved. (With --modular, nothing but your own invariant is known about the
// loop.)
//
// How it is checked: `ult check --modular`.

procedure divide(a: int, b: int) returns (q: int, r: int)
  requires a >= 0 && b > 0;
  ensures a == q * b + r;
  ensures 0 <= r && r < b;
{
  q := 0;
  r := a;
  while (r >= b)
    invariant a == q * b + r;
    invariant r > 0;
  {
    r := r - b;
    q := q + 1;
  }
}
