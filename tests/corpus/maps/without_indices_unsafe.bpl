//# expect: unsafe
//# flags: --modular
procedure one(m: []int, n: []int)
{
  assert m[] == n[]; // FAILS
}
