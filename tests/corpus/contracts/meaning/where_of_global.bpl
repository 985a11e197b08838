//# expect: unsafe
// A call assumes nothing of globals that the caller has changed.
var limit: int where limit > 0;

procedure look() returns (r: int)
{
  r := limit;
}

procedure main()
  modifies limit;
{
  var r: int;
  limit := 0 - 3;
  call r := look();
  assert r != 0 - 3;   // FAILS
}
