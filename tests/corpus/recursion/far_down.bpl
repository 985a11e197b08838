//# expect: unsafe
// The run goes twenty activations deep.

procedure identity(n: int) returns (r: int) {
  if (n == 0) {
    r := 0;
  } else {
    call r := identity(n - 1);
    r := r + 1;
  }
}

procedure main() {
  var r: int;
  call r := identity(20);
  assert r != 20; // FAILS
}
