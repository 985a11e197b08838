//# expect: unsafe 13
// The run without the approximation counts.
procedure violated(p: int)
{
  var address: int;
  if (p != 0) {
    havoc address;
    assume {:approximated "addresses"} address > 0;
    return;
  } else {
    address := 0;
  }
  assert address > 0; // FAILS
}
