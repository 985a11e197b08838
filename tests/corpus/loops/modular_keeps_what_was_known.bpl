//# expect: safe
//# flags: --modular expect: unknown(not-proved)
//# limit: 5
// What is known before a loop of what the loop does not change is known behind it, also in the modular reading and beside
// quantifiers: only the last assertion needs an invariant.
type D;
function f(D): int;
function next(D): D;
axiom (forall x: D :: {f(x)} f(x) > 0);
axiom (forall x: D :: {next(x)} f(next(x)) > f(x));
procedure p(d: D, n: int)
{
  var i, kept: int;
  i := 0;
  kept := f(next(d));
  while (i < n && i < 3)
    invariant i >= 0;
  {
    i := i + 1;
  }
  assert kept > f(d);
  assert i >= 0;
  assert i <= 3;
}
