//# expect: unsafe
// Nobody has to find models of these functions: each is said by itself at smaller arguments.
function fib(n: int): int { if n < 2 then n else fib(n - 1) + fib(n - 2) }
function up(from: int, to: int): int { if from < to then 1 + up(from + 1, to) else 0 }
function odd(n: int): bool { n > 0 && !odd(n - 1) }
function twice(n: int): int { 2 * fib(n) }
function all(n: int): bool { (forall k: int :: 0 <= k && k < n ==> all(k)) }
const half: int;
axiom half == twice(3);

procedure main()
{
  var i: int;
  i := 0;
  i := i - 1;
  assert i >= 0; // FAILS
}
