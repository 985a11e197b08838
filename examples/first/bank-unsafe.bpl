//# expect: unsafe
// As bank.bpl, but the amount may be negative: who sends it takes it.

type Account;

var balance: [Account]int;
var money: int;

procedure transfer(from: Account, to: Account, amount: int)
  modifies balance;
{
  if (amount <= balance[from]) {
    balance[from] := balance[from] - amount;
    balance[to] := balance[to] + amount;
  }
}

procedure main(alice: Account, bob: Account)
  modifies balance, money;
{
  var amount: int;

  assume alice != bob;
  assume (forall a: Account :: balance[a] >= 0);
  money := balance[alice] + balance[bob];
  while (*) {
    havoc amount;
    if (*) {
      call transfer(alice, bob, amount);
    } else {
      call transfer(bob, alice, amount);
    }
  }
  assert balance[alice] + balance[bob] == money;
  assert balance[alice] >= 0 && balance[bob] >= 0; // FAILS
}
