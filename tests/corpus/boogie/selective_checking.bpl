//# expect: unsafe 7 12 17
//# flags: --modular expect: unsafe 12 17
// `{:selective_checking}`: in the modular reading only what follows a place to start is checked.
procedure {:selective_checking} p(a: int, b: int, c: int)
{
  // Assumed.
  assert a < b;
  assume {:start_checking_here} true;
  if (c > b) {
    assert c > a;
  } else {
    assert c == b;
  }
}

procedure q(a: int)
{ assert a != 3; }
