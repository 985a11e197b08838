// A trick.

function claim(x: int, y: int) returns (bool) { x <= 10 && y >= 10 }

function x() returns (int) { 0 }

function y() returns (int) { 10 }

procedure refutes()
{
  assert claim(x(), y());
  assert x() < 10;
  assert !claim(x() + 1, y() - 1);
}
