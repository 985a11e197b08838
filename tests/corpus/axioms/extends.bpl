//# expect: safe
// An order of constants beside a loop.
type T;
const unique top: T;
const unique left: T extends unique top;
const low: T extends left complete;

procedure p(n: int)
{
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; }
  assert i >= n;
}
