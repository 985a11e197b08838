// Exercise: a precondition for callers. `draw` must leave no debts. Write its precondition: enough for its own
// contract, and not more than what `spend` can promise.
//
// How it is checked: `ult check --modular`.

procedure draw(balance: int, amount: int) returns (rest: int)
  requires true;
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
