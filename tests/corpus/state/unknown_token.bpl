//# expect: safe
//# flags: --engine explicit
// A token goes round, and each station adds one. Its value is not known, only how much it grew; which station is next, a
// map says of which only some elements are known.
procedure ring(start: int, others: [int]int)
{
  var token, at: int;
  var next: [int]int;
  token, at := start, 0;
  next := others[0 := 1][1 := 2][2 := 0];
  while (*) {
    at := next[at];
    token := token + 1;
    if (at == 0) {
      assert token == start + 3;
      token := start;
    }
  }
}
