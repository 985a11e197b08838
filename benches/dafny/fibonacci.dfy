// Fibonacci's numbers by a loop.
function Fib(n: nat): nat { if n < 2 then n else Fib(n - 1) + Fib(n - 2) }
method Compute(n: nat) returns (r: nat)
  ensures r == Fib(n)
{
  if n == 0 { return 0; }
  var before := 0;
  r := 1;
  var i := 1;
  while i < n
    invariant 1 <= i <= n
    invariant before == Fib(i - 1) && r == Fib(i)
  {
    before, r := r, before + r;
    i := i + 1;
  }
}
