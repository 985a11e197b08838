//# expect: safe
//# flags: --modular
var x: int;

procedure down()
{
  var n: int;
  n := 10;
  while (n > 0)
    invariant n >= 0;
    measure n;
  {
    n := n - 1;
  }
  assert n == 0;
}

// The first part that changes becomes smaller.
procedure parts()
{
  var b: bool;
  var n, k: int;
  b := true;
  n := 3;
  while (b || n > 0)
    invariant n >= 0;
    measure b, n;
  {
    if (b) {
      havoc k;
      assume k >= 0;
      b := false;
      n := k;
    } else {
      n := n - 1;
    }
  }
}

procedure leaves(n: int)
{
  var i: int;
  i := if n < 0 then 0 else n;
  while (true)
    invariant i >= 0;
    measure i;
  {
    if (i == 0) { break; }
    i := i - 1;
  }
  assert i == 0;
}

procedure even(n: int) returns (r: bool)
  requires n >= 0;
  measure n;
{
  r := true;
  if (n > 0) { call r := odd(n - 1); }
}

procedure odd(n: int) returns (r: bool)
  requires n >= 0;
  measure n;
{
  r := false;
  if (n > 0) { call r := even(n - 1); }
}

// The state counts, too: before the call it is smaller than at the beginning.
procedure state()
  modifies x;
  measure x;
{
  if (x > 0) {
    x := x - 1;
    call state();
  }
}

// It is a name everywhere else.
procedure names(measure: int) returns (m: int)
{
  m := measure;
}
