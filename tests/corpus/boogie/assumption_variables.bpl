//# expect: unsafe 6 13 23
//# flags: --modular expect: unsafe 13
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
  before := a;
  havoc a;
  assert a ==> before;
}
