//# expect: safe
// Mutual recursion: whoever calls knows nothing but the bodies.
procedure even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := odd(n - 1); }
}

procedure odd(n: int) returns (r: bool)
{
  if (n == 0) { r := false; } else { call r := even(n - 1); }
}

procedure main(n: int)
{
  var p, q: bool;
  call p := even(n);
  assert p ==> n mod 2 == 0;
  call q := odd(n);
  assert q ==> n mod 2 == 1;
}
