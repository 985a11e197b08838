// Integer arithmetic: smallest and largest, absolute value, divisors, powers, roots.
//
// Use it with `ult check --library math program.bpl`. Each function has a lemma, a procedure that proves what its contract
// says; where the solver does not see it by itself, call the lemma.

function min(a: int, b: int): int { if a <= b then a else b }

procedure lemma_min(a: int, b: int)
  ensures min(a, b) <= a && min(a, b) <= b;
  ensures min(a, b) == a || min(a, b) == b;
{
}

function max(a: int, b: int): int { if a >= b then a else b }

procedure lemma_max(a: int, b: int)
  ensures max(a, b) >= a && max(a, b) >= b;
  ensures max(a, b) == a || max(a, b) == b;
{
}

// The number nearest to `x` between `low` and `high`.
function clamp(x: int, low: int, high: int): int { max(low, min(x, high)) }

procedure lemma_clamp(x: int, low: int, high: int)
  requires low <= high;
  ensures low <= clamp(x, low, high) && clamp(x, low, high) <= high;
  ensures low <= x && x <= high ==> clamp(x, low, high) == x;
{
}

function abs(x: int): int { if x < 0 then -x else x }

procedure lemma_abs(x: int, y: int)
  ensures abs(x) >= 0;
  ensures abs(x) == x || abs(x) == -x;
  ensures abs(x) == 0 <==> x == 0;
  ensures abs(x + y) <= abs(x) + abs(y);
{
}

// -1, 0 or 1.
function sign(x: int): int { if x < 0 then -1 else if x > 0 then 1 else 0 }

procedure lemma_sign(x: int)
  ensures sign(x) * abs(x) == x;
  ensures -1 <= sign(x) && sign(x) <= 1;
{
}

function even(x: int): bool { x mod 2 == 0 }

procedure lemma_even(x: int, y: int)
  ensures even(x) <==> !even(x + 1);
  ensures even(x) && even(y) ==> even(x + y);
{
}

// Quotient and remainder, rounded towards zero as in C; `div` and `mod` are rounded such that the remainder is never
// negative.
procedure divide(a: int, b: int) returns (quotient: int, remainder: int)
  requires b != 0;
  ensures a == quotient * b + remainder;
  ensures abs(remainder) < abs(b);
  ensures remainder == 0 || sign(remainder) == sign(a);
{
  quotient := a div b;
  remainder := a mod b;
  if (a < 0 && remainder != 0) {
    quotient := quotient + sign(b);
    remainder := remainder - abs(b);
  }
}

// The whole part of the square root.
procedure root(n: int) returns (r: int)
  requires n >= 0;
  ensures r >= 0 && r * r <= n && n < (r + 1) * (r + 1);
{
  r := 0;
  while ((r + 1) * (r + 1) <= n)
    invariant r >= 0 && r * r <= n;
  {
    r := r + 1;
  }
}

// The greatest common divisor, by Euclid's algorithm. That it divides both numbers is said by factors.
procedure gcd(a: int, b: int) returns (d: int, factor_a: int, factor_b: int)
  requires a >= 0 && b >= 0 && a + b > 0;
  ensures d > 0;
  ensures a == factor_a * d && b == factor_b * d;
{
  var q: int;
  if (b == 0) {
    d, factor_a, factor_b := a, 1, 0;
  } else {
    q := a div b;
    call d, factor_b, factor_a := gcd(b, a mod b);
    factor_a := q * factor_b + factor_a;
  }
}
