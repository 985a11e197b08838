//# expect: unsafe
// What is inferred is no better than the contract that it relies on.
procedure down(n: int) returns (r: int)
  ensures r == 0;
{
  if (n <= 0) { r := n; } else { call r := down(n - 1); }
} // FAILS

procedure main(n: int)
{
  var r: int;
  call r := down(n);
  assert n >= 0 ==> r == 0;
}
