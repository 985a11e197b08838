//# expect: safe
//# flags: --engine ic3 expect: unknown(incomplete)
// An index may be any number, so that what stands there has no cell: who says that it may be anything finds a run, and that is none.
procedure main()
{
  var a: [int]int;
  var i: int;
  havoc i;
  a[i] := 5;
  assert a[i] == 5;
}
