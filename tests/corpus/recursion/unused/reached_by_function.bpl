//# expect: safe
// A function without recursion is the way to them.
function f(n: int): int { if n <= 0 then 0 else 1 + g(n - 1) }
function g(n: int): int { if n <= 0 then 0 else 1 + f(n - 1) }
function twice(n: int): int { 2 * f(n) }

procedure main()
{
  assert twice(3) == 6;
}
