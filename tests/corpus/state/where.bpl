//# expect: safe
var g: int where g > 0;

procedure p(x: int where x > 5)
  modifies g;
{
  var y: int where y < 0;
  assert g > 0 && x > 5 && y < 0;
  havoc g;
  assert g > 0;
  g := -1;
  assert g == -1;
}
