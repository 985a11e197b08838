//# expect: rejected(E0223 9) rejected(E0301 14) rejected(E0223 23) rejected(E0223 30)
procedure p()
{
  var n: int;
  var r: real;
  n := 3;
  while (n > 0)
    measure n;
    measure n;
  {
    n := n - 1;
    // Once is enough.
  }
  while (n > 0) measure r; {
  }
}

procedure one(n: int)
  measure n;
{
  if (n > 0) {
    // It calls back, and has another measure.
    call two(n);
  }
}

procedure two(n: int)
  measure n, n;
{
  call other(n);
}

procedure other(n: int)
{
  call one(n);
}
