//# expect: unsafe
// Another procedure uses them, and its assertion is proved.
function up(n: int): int { if n <= 0 then 0 else 1 + down(n - 1) }
function down(n: int): int { if n <= 0 then 0 else 1 + up(n - 1) }

procedure user()
{
  assert up(2) == 2;
}

procedure other(x: int)
{
  assert x > 0;   // FAILS
}
