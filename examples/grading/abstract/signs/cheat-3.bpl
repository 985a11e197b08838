// A trick.

function sign(x: int) returns (int) { if x < 0 then -1 else if x == 0 then 0 else 1 }

function means(s: int, x: int) returns (bool) { s == 2 || s == sign(x) }

function plus(s: int, t: int) returns (int)
{
  if \plus(s, t) == 0 then 1 else 0
}

procedure sound(x: int, y: int)
{
  assert means(plus(sign(x), sign(y)), x + y);
}

procedure exact(s: int)
{
  assume -1 <= s && s <= 1;
  assert plus(s, 0) == s;
  assert plus(0, s) == s;
  assert plus(s, s) == s;
}
