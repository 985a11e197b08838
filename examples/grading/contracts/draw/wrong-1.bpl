// A typical mistake.

procedure draw(balance: int, amount: int) returns (rest: int)
  requires amount >= 0;
  ensures rest == balance - amount;
  ensures rest >= 0;
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
