//# expect: unsafe
//# flags: --modular expect: unknown(not-proved)
// At the end the free postcondition is assumed, and the loop ends with the right value.
procedure p(m: int) returns (r: int)
  free ensures {:always_assume} m > 2;
  ensures r <= m;
{
  r := 0;
  while (r < 3) { r := r + 1; }
}   // FAILS
