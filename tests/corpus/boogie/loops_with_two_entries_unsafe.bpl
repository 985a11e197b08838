//# expect: unsafe 15
//# flags: --modular
// The copy of the loop for its second entry has the same obligations.
procedure p(n: int)
{
  var i: int;
  i := 0;
  goto top, middle;
top:
  assert i >= 0;
  i := i + 1;
  goto middle;
middle:
  // Zero where the loop is entered here.
  assert i > 0;
  if (i < 5) { goto top; }
}
