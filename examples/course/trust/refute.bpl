// Exercise: a claim that is refused. Somebody claims the invariant `claim` for
//
//     x, y := 0, 10;  while (x < 10) { x, y := x + 1, y - 1; }
//
// The checker refuses it. Find a state that shows why: it has the claim, the loop goes on, and the next state does
// not have it.

function claim(x: int, y: int) returns (bool) { x <= 10 && y >= 0 }

function x() returns (int) { 0 }

function y() returns (int) { 10 }

procedure refutes()
{
  assert claim(x(), y());
  assert x() < 10;
  assert !claim(x() + 1, y() - 1);
}
