//# expect: unsafe 6 13 21 25
//# flags: --modular expect: unsafe 13 21
// `{:assumption}`: in the modular reading the variable is true at first, and `havoc` never makes it true again.
procedure p() {
  var {:assumption} a: bool;
  assert a;
}

procedure q(n: int)
{
  var {:assumption} a: bool;
  a := a && n > 0;
  assert a;
}

procedure r()
{
  var {:assumption} a: bool;
  var before: bool;
  havoc a;
  assert a;
  a := a && true;
  before := a;
  havoc a;
  assert a ==> before;
}
