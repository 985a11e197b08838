//# expect: unsafe
//# flags: --modular
// What is in a pool says nothing of what is so: a pool is no assumption.
procedure pool_A(x: int)
{
  assume {:add_to_pool "A", x, 3} x > 2;
  assert {:add_to_pool "A", x + 1} x > 3; // FAILS
}
