//# expect: safe
//# flags: --engine explicit
// A machine that is driven by events: the door is open only between an `open` and the next `close`.
procedure machine()
{
  var state, event: int;
  var opened: bool;
  state, opened := 0, false;
  while (*) {
    havoc event;
    assume 1 <= event && event <= 4;
    if (state == 0) {
      if (event == 1) { state, opened := 1, true; }
      else if (event == 3) { state := 2; }
    } else if (state == 1) {
      if (event == 2) { state, opened := 0, false; }
      else if (event == 4) { state := 3; }
    } else if (state == 2) {
      if (event == 2 || event == 4) { state := 0; }
    } else {
      assert opened;
      if (event == 1) { state := 1; }
    }
    assert state == 1 || state == 3 || !opened;
  }
}
