//# expect: unsafe
//# flags: --modular
// At a postcondition no attribute says that somebody else has proved it.
procedure p(x: int, trusted: bool)
  requires trusted;
  ensures {:verified_under trusted} x > 0;
{
}   // FAILS
