// Exercise: a leap year. The procedure `leap` has a mistake. Find a year that shows it: replace the number in
// `year`, so that `ult check` says UNSAFE. Change nothing else.

function year() returns (int) { 2024 }

procedure leap(y: int) returns (l: bool)
{
  l := y mod 4 == 0 && y mod 100 != 0;
}

procedure main()
{
  var l: bool;
  call l := leap(year());
  assert l <==> (year() mod 4 == 0 && (year() mod 100 != 0 || year() mod 400 == 0));
}
