//# expect: unsafe
//# flags: --modular
// What is asserted holds on all ways; what is assumed, on one.
procedure all_ways(x: int)
{
  assert |{ var z: int; A: return z == x; }|; // FAILS
}

procedure one_way(x: int)
{
  assume |{ var z: bool; A: return z; }|;
  assert x > 0; // FAILS
}

procedure branches(x: int)
{
  assert |{ A: goto B, C; B: return true; C: return x == 1; }|; // FAILS
}
