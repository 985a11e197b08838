//# expect: safe
//# flags: --modular
function good(x: int): bool;

procedure sign(x: int) returns (s: int)
  requires |{ A: return x != 0; }|;
  ensures |{ var y: int; A: goto B, C; B: assume x > 0; y := 1; return s == y; C: assume x < 0; return s == -1; }|;
{
  if (x > 0) { s := 1; } else { s := -1; }
}

procedure values(x: int)
{
  var b: bool;
  var y: int;
  b := |{ var a: bool; A: a := x < 3; a := a && x > 0; return a; }|;
  assert b <==> x == 1 || x == 2;
  assume (forall t: int :: |{ A: goto B, C; B: assume t > x; return good(t); C: assume t <= x; return true; }|);
  assert good(x + 1);
  // For every value that a variable may have.
  assert |{ var z: int; A: havoc z; assume z > x; return z >= x; }|;
  assert !|{ A: return x != x; }|;
}
