//# expect: unsafe
//# flags: --modular expect: unknown(contract-too-weak)
// At the call the free precondition is assumed, so the violation is on no trace.
procedure give() returns (r: int)
{
  r := 1;
}

procedure take(n: int, m: int)
  free requires {:always_assume} n < m;
  requires m > n && n == 1;
{ }

procedure main(m: int)
{
  var r: int;
  call r := give();
  call take(r, m);      // FAILS
}
