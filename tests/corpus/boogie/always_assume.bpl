//# expect: unsafe 8 10 17 22
//# flags: --modular expect: unsafe 17
// `{:always_assume}`: whoever has to prove the clauses behind a free one may assume it.
procedure p(n: int) returns (r: int)
  free requires {:always_assume} n > 0;
  requires n >= 0;
  free ensures {:always_assume} r > n;
  ensures r > 0;
{
}

procedure late(n: int);
  requires n >= 0;
  free requires {:always_assume} n > 0;

procedure wrong(n: int)
{ call late(n); }

procedure q(n: int)
{
  var r: int;
  call r := p(n);
}
