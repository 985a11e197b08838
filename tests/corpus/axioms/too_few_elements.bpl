//# expect: unknown(run-rejected)
// The axiom about `g` needs more elements than the run has. (Another run would have them.)
type T;
function g(T): int;
axiom (forall i: int :: {g#at(i)} 0 <= i && i < 3 ==> g(g#at(i)) == i);
function g#at(int): T;

procedure p(x: T, n: int)
{
  assert n != 3;
}
