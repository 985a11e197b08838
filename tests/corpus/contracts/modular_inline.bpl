//# expect: unsafe 11 35 66 72
//# flags: --modular expect: unsafe 35 72
// `{:inline n}`: Boogie verifies such procedures at their calls, to this depth.
var g: int;
var marks: [int]bool;

procedure {:inline 1} bump(by: int)
  modifies g;
{
  // Would fail for other arguments; no call has any.
  assert by > 0;
  g := g + by;
}

procedure {:inline 1} mark(n: int)
  modifies marks;
{
  var i: int where i >= 0;
  havoc i;
  while (i < n)
    invariant i >= 0;
  {
    marks[i] := true;
    havoc i;
  }
  assert i >= 0;
}

procedure caller()
  modifies g;
{
  g := 1;
  call bump(2);
  assert g == 3;
  assert g == 4;
}

procedure marking()
  modifies marks;
{
  marks[0 - 1] := false;
  call mark(5);
}

procedure {:inline 3} down(n: int) returns (left: int)
{
  left := n;
  if (n > 0) { call left := down(n - 1); }
}

procedure deep_enough()
{
  var left: int;
  call left := down(2);
  assert left == 0;
}

procedure {:inline 2} endless(n: int) returns (m: int)
{
  call m := endless(n + 1);
  m := 0;
}

procedure {:verify false} not_looked_at()
{
  assert false;
}

procedure id(x: int) returns (y: int)
{
  y := x;
  assert y != 5;
}

// Beyond the depth nothing is known: no claim that there is no such run.
procedure still_calls()
{
  var m: int;
  call m := endless(0);
  assert m == 0;
}
