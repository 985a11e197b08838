//# expect: safe
// Where there is no body, it is all that is known.
var g: int;
procedure next() returns (r: int where r >= 0);
  modifies g;
  free ensures g > old(g);
  ensures r != 7;

procedure main()
  modifies g;
{
  var r: int;
  g := 1;
  call r := next();
  assert g > 1 && r >= 0 && r != 7;
}
