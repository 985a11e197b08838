//# expect: unsafe
//# flags: --modular
datatype Shape { Circle(r: int), Box(w: int, h: int), Point() }

function size(s: Shape): int
{
  if s is Circle then s->r * s->r else if s is Box then s->w * s->h else 0
}

procedure one_of_three(s: Shape)
{
  assert s is Circle || s is Box || s is Point;
  assert !(s is Circle && s is Box);
  assert s is Point ==> s == Point();
  assert Circle(1) != Box(1, 1);
  assert size(Box(2, 3)) == 6;
  assert size(s) >= 0;    // FAILS
}

// What a field is where there is none is arbitrary, but always the same.
procedure no_such_field(s: Shape, t: Shape)
{
  assume s is Point && t is Point;
  assert s->r == t->r;
  assert s->w == 0;    // FAILS
}
