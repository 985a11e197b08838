//# expect: unsafe 10 18 29 38
//# flags: --modular expect: unsafe 10 18 29 38
procedure up()
{
  var n: int;
  n := 0;
  while (n < 3)
    measure n;
  {
    n := n + 1;
  }
}

procedure negative_at_the_end()
{
  var n: int;
  n := 0;
  while (n < 3) measure (if n < 3 then 3 - n else -1);
  {
    n := n + 1;
  }
}

procedure forever(n: int)
  requires n >= 0;
  measure n;
{
  if (n > 5) {
    call forever(n);
  }
}

procedure negative(n: int)
  requires n < 100;
  measure n;
{
  if (n < 50) {
    call negative(n - 1);
  }
}
