// Exercise: change. A machine gives change in coins of 5, 2 and 1. The procedure is right for sensible amounts.
// Say in an assumption at the beginning what is sensible. It should exclude as little as possible.

procedure change(amount: int) returns (fives: int, twos: int, ones: int)
{
  // assume ...;
  fives := amount div 5;
  twos := (amount mod 5) div 2;
  ones := (amount mod 5) mod 2;
  assert 5 * fives + 2 * twos + ones == amount;
  assert fives >= 0 && twos >= 0 && ones >= 0;
}
