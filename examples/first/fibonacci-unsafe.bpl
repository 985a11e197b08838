//# expect: unsafe
// Fibonacci's numbers by recursion. Not each is at least n.

procedure fibonacci(n: int) returns (f: int) {
  var a, b: int;

  if (n < 2) {
    f := n;
  } else {
    call a := fibonacci(n - 1);
    call b := fibonacci(n - 2);
    f := a + b;
  }
}

procedure main(n: int) {
  var f: int;

  call f := fibonacci(n);
  assert f >= n; // FAILS
}
