//# expect: safe
//# flags: --engine explicit
// A machine that is driven by events: the alarm needs three of them in the right order, and the door is open only
// between an `open` and the next `close`.
procedure machine()
{
  var state, event, opened, alarm: int;
  state, opened, alarm := 0, 0, 0;
  while (*) {
    havoc event;
    assume 1 <= event && event <= 4;
    if (state == 0) {
      if (event == 1) { state, opened := 1, 1; }
      else if (event == 3) { state := 2; }
    } else if (state == 1) {
      if (event == 2) { state, opened := 0, 0; }
      else if (event == 4) { alarm := alarm + 1; state := 3; }
    } else if (state == 2) {
      if (event == 2 || event == 4) { state := 0; }
    } else {
      assert opened == 1;
      if (event == 1) { alarm := 0; state := 1; }
    }
    assert alarm <= 1;
    assert state == 1 || state == 3 || opened == 0;
  }
}
