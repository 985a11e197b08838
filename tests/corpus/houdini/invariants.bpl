//# expect: safe
//# assumes: `b1` is true
//# assumes: `b2` is false
//# assumes: `b3` is true
//# flags: --modular
const {:existential true} b1: bool;
const {:existential true} b2: bool;
const {:existential true} b3: bool;
procedure main(n: int)
  requires n >= 0;
{
  var i: int;
  i := 0;
  while (i < n)
    invariant b1 ==> i <= n;
    invariant b2 ==> i < n;
    invariant b3 ==> 0 <= i;
  {
    i := i + 1;
  }
  assert i == n;
}
