//# expect: unsafe 10
//# flags: --modular expect: unsafe 10 11
// After `{:subsumption 0}` nothing is assumed, on the trace through the loop either.
procedure main()
{
  var i, x: int;
  i := 0;
  while (i < 2) { i := i + 1; }
  havoc x;
  assert {:subsumption 0} x > 0;
  assert i == 2 && x > 0;
}
