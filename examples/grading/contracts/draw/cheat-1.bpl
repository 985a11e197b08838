// A trick.

procedure draw(balance: int, amount: int) returns (rest: int)
  requires true;
  ensures rest == balance - amount;
{
  rest := balance - amount;
}

procedure spend()
{
  var r: int;
  call r := draw(100, 30);
  call r := draw(r, 70);
  assert r == 0;
}
