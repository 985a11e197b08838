//# expect: safe
// What is chosen leads two ways, each of which calls many times: no contract says how often.
var calls: int;

procedure fib(n: int) returns (r: int)
  modifies calls;
{
  var a: int, b: int;
  calls := calls + 1;
  if (n < 2) {
    r := n;
  } else {
    call a := fib(n - 1);
    call b := fib(n - 2);
    r := a + b;
  }
}

procedure {:entrypoint} main()
  modifies calls;
{
  var more: bool, r: int;
  calls := 0;
  if (more) {
    call r := fib(11);
    assert r == 89 && calls == 287;
  } else {
    call r := fib(10);
    assert r == 55 && calls == 177;
  }
}
