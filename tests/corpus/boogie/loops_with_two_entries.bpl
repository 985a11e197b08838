//# expect: safe
//# flags: --modular
// A loop with two entries, both with what is needed there: one of them gets a copy of the loop.
procedure p(n: int)
  requires n >= 0;
{
  var i, j: int;
  i, j := n, 0;
  goto middle, top;
top:
  assert i >= 0 && j >= 0;
  if (i == 0) { goto out; }
  i := i - 1;
middle:
  j := j + 1;
  if (*) { goto top; }
  goto middle_again;
middle_again:
  goto top;
out:
  assert i == 0;
}
