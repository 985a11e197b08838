// A trick.

var balance: int;
var count: int;
var limit: int;

procedure deposit(amount: int)
  requires amount >= 0;
  modifies balance, count;
  free ensures balance == old(balance) + amount && count == old(count) + 1;
{
  balance := balance + amount;
  count := count + 1;
}

procedure twice()
  modifies balance, count;
{
  var before: int;
  before := balance;
  count := 0;
  call deposit(10);
  call deposit(20);
  assert balance == before + 30;
  assert count == 2;
  assert limit == old(limit);
}
