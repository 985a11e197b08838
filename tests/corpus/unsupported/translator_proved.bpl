//# expect: safe
// What holds for all addresses holds, and where the source is clear, runs count.
procedure proved(p: int)
{
  var address: int;
  if (p != 0) {
    havoc address;
    assume {:approximated "addresses"} address > 0;
  } else {
    address := 0;
  }
  assert address >= 0;
}
