// A trick.

procedure change(amount: int) returns (fives: int, twos: int, ones: int)
{
  // assume ...;
  fives := amount div 5;
  twos := (amount mod 5) div 2;
  ones := (amount mod 5) mod 2;
  assume fives >= 0 && twos >= 0 && ones >= 0;
  assert 5 * fives + 2 * twos + ones == amount;
  assert fives >= 0 && twos >= 0 && ones >= 0;
}
