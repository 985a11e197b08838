//# expect: safe
//# flags: --engine slicing expect: safe
// Nothing is chosen: the one run that there is says how deep the calls are inlined.
var calls: int;

procedure factorial(n: int) returns (r: int)
  modifies calls;
{
  calls := calls + 1;
  if (n <= 1) {
    r := 1;
  } else {
    call r := factorial(n - 1);
    r := r * n;
  }
}

procedure {:entrypoint} main()
  modifies calls;
{
  var r: int;
  calls := 0;
  call r := factorial(25);
  assert r == 15511210043330985984000000;
  assert calls == 25;
}
