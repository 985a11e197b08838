//# expect: safe
// The contract does not say it, and inlining does not get that far: a contract is inferred.
procedure count(n: int) returns (r: int)
  requires n >= 0;
{
  if (n == 0) { r := 0; } else { call r := count(n - 1); r := r + 1; }
}

procedure main()
{
  var r: int;
  call r := count(1000);
  assert r == 1000;
}
