// Exercise: predicates. Predicate abstraction by hand, for the program
//
//     locked := false;
//     do {
//       locked := true; seen := new;
//       if (*) { locked := false; new := new + 1; }
//     } while (new != seen);
//     assert locked;
//
// There are two predicates, `locked` and `new == seen`. Say with them alone what holds at the end of the loop's
// body, before its condition. The strongest conjunction of predicates is `true`, and not enough.

function abstract(locked: bool, same: bool) returns (bool) { true }

procedure body()
{
  var locked: bool;
  var new, seen: int;
  locked := true;
  seen := new;
  if (*) {
    locked := false;
    new := new + 1;
  }
  assert abstract(locked, new == seen);
}

procedure again()
{
  var locked: bool;
  var new, seen: int;
  assume abstract(locked, new == seen);
  assume new != seen;
  assert !locked;
}

procedure end()
{
  var locked: bool;
  var new, seen: int;
  assume abstract(locked, new == seen);
  assume new == seen;
  assert locked;
}
