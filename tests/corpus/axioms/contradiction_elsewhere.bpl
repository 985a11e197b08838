//# expect: safe
//# warns: W0401
// Nobody mentions `c`, and yet there is no state at all.
const c: int;
axiom c < 0;
axiom c > 0;

procedure p()
{
  assert false;
}
