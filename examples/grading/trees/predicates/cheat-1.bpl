// A trick.

function abstract(locked: bool, same: bool) returns (bool) { false }

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
