//# expect: safe
type Index = int;
type Table _ = [Index]int;
type Pair a = [bool]a;

procedure p(t: [Index]int, q: Pair int)
{
  var u: Pair int;
  u := q[true := t[0]];
  assert u[true] == t[0];
}
