//# expect: safe
//# warns: W0401
axiom false;

procedure p()
{
  assert false;
}
