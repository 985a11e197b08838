//# expect: safe
procedure ack(m: int, n: int) returns (r: int)
{
  if (m == 0) {
    r := n + 1;
  } else if (n == 0) {
    call r := ack(m - 1, 1);
  } else {
    call r := ack(m, n - 1);
    call r := ack(m - 1, r);
  }
}

procedure main(m: int, n: int)
{
  var r: int;
  assume m >= 0 && n >= 0;
  call r := ack(m, n);
  assert r >= 0;
}
