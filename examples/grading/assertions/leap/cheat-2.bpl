// A trick.

function year() returns (int) { 2024 }

procedure leap(y: int) returns (l: bool)
{
  l := y mod 5 == 0 && y mod 100 != 0;
}

procedure main()
{
  var l: bool;
  call l := leap(year());
  assert l <==> (year() mod 4 == 0 && (year() mod 100 != 0 || year() mod 400 == 0));
}
