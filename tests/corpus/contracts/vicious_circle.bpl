//# expect: unsafe 10 15
//# flags: --calls contract expect: unsafe 10
// Each of the two procedures keeps its contract only if the other does, but for the first one.
procedure left(n: int) returns (r: int)
  ensures r == 0;
{
  r := n;
  if (n > 0) { call r := right(n - 1); }
  // For n < 0 the contract is broken at the end.
}

procedure right(n: int) returns (r: int)
  ensures r == 0;
{ call r := left(n);
}
