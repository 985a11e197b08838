//# expect: unsafe
//# flags: --modular
// Exercise 2a. Division by repeated subtraction. The contract of the procedure is right, its invariant is not. Mend the
// invariant, so that `ult check --modular` proves everything. (With --modular, nothing but your own invariant is known
// about the loop.)

procedure divide(a: int, b: int) returns (q: int, r: int)
  requires a >= 0 && b > 0;
  ensures a == q * b + r;
  ensures 0 <= r && r < b;
{
  q := 0;
  r := a;
  while (r >= b)
    invariant a == q * b + r;
    invariant r > 0; // FAILS
  {
    r := r - b;
    q := q + 1;
  }
}
