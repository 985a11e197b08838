//# expect: unknown(unsupported)
// The second assertion fails on runs only that the source may not have; the third one does not need them.
procedure main(p: int)
{
  var address: int;
  if (p != 0) {
    havoc address;
    assume {:approximated "addresses"} address > 0;
  } else {
    address := 0;
  }
  assert address >= 0;
  assert address mod 4 == 0;
}
