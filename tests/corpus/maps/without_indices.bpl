//# expect: safe
//# flags: --modular
// A map without indices has one element.
var m: []int;
var p: <a>[]a;

procedure one() modifies m;
{
  var n: []int;
  m[] := 12;
  n := m[:= 13];
  assert m[] == 12 && n[] == 13 && m != n;
  n[] := 12;
  assert m == n;
}

procedure several() modifies p;
{
  p[] := 5;
  p[] := true;
  assert p[] == 5 && p[];
}
