//# expect: safe
// No contract is given: the summary is found.
procedure mc(n: int) returns (r: int)
{
  if (n > 100) {
    r := n - 10;
  } else {
    call r := mc(n + 11);
    call r := mc(r);
  }
}

procedure main(n: int)
{
  var r: int;
  call r := mc(n);
  assert n <= 101 ==> r == 91;
  assert n > 101 ==> r == n - 10;
}
