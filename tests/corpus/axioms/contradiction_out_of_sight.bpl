//# expect: unknown(run-rejected)
// Whether there is such a function the solver does not see, so the run is none.
function f(int): int;
axiom (forall i: int :: {f(i)} f(i) * f(i) * f(i) == 2 * i * i * i + 1);

procedure p(n: int)
{
  assert n != 3;
}
