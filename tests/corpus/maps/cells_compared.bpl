//# expect: unsafe
// The maps are equal in all cells that are mentioned, and differ elsewhere.
procedure p(a: [int]int, b: [int]int)
{
  assume a[0] == b[0] && a[1] == b[1];
  if (a != b)
  {
    assert a[2] != b[2]; // FAILS
  }
}
