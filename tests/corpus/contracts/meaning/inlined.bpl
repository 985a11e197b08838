//# expect: unsafe 27 36 45 53 61 79
//# flags: --modular expect: unsafe 27 36 45 53 61 70 79
// Where Boogie inlines, it forgets all that is free, and the attributes of the call.
procedure {:inline 1} free_pre(x: int)
  free requires x > 0;
{ }

procedure {:inline 1} free_post(x: int)
  free ensures x > 0;
{ }

procedure {:inline 1} always(x: int)
  free requires {:always_assume} x > 0;
  free ensures {:always_assume} false;
{ }

procedure {:inline 1} argument(x: int where x > 0) { }

procedure {:inline 1} pos(x: int)
  requires x > 0;
{ }

// Five procedures that call them.
procedure a()
{
  call free_pre(0);
  assert false;
}

// A free
// postcondition.

procedure b()
{
  call free_post(0);
  assert false;
}

// Whoever inlines
// assumes none of it.

procedure c()
{
  call always(0);
  assert false;
}

// A `where` clause.

procedure d()
{
  call argument(0);
  assert false;
}

// A precondition that fails is reported once.

procedure e()
{
  call pos(1);
  assert false;
}

// Where Boogie inlines, a free call checks the precondition.



procedure f()
{
  free call pos(0);
}

// Another one is responsible for the call, but not for the inlined text.


procedure g(trusted: bool)
  requires trusted;
{
  call {:verified_under trusted} pos(0);
}
