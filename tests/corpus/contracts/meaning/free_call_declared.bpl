//# expect: unsafe
// The same for a procedure without a body, with a free precondition and one that is not.
var g: int;
procedure ask(x: int) returns (r: int);
  requires x > 0;
  free requires x < 10;
  modifies g;
  ensures g == old(g) + 1;

procedure main()
  modifies g;
{
  var r: int;
  g := 4;
  free call r := ask(0 - 1);
  assert g == 5;
  assert r != 2;   // FAILS
}
