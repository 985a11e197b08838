//# expect: safe
// SMT-LIB's sequences.
type {:builtin "Seq"} Seq _;
function {:builtin "seq.empty"} empty(): Seq int;
function {:builtin "seq.len"} length(s: Seq int): int;
function {:builtin "seq.++"} join(s: Seq int, t: Seq int): Seq int;
function {:builtin "seq.unit"} one(v: int): Seq int;
function {:builtin "seq.nth"} at(s: Seq int, i: int): int;
function {:builtin "seq.extract"} part(s: Seq int, from: int, count: int): Seq int;

procedure laws(s: Seq int, t: Seq int, u: Seq int, v: int)
{
  assert join(join(s, t), u) == join(s, join(t, u));
  assert length(join(s, t)) == length(s) + length(t);
  assert at(join(s, one(v)), length(s)) == v;
  assert length(s) == 0 ==> s == empty();
  assert 0 < length(s) ==> at(join(s, t), 0) == at(s, 0);
}

// Outside of a sequence there is nothing.
procedure edges(s: Seq int)
{
  assert part(s, 0 - 1, 2) == empty();
  assert part(s, 0, 0 - 1) == empty();
  assert part(s, length(s), 1) == empty();
  assert part(s, 0, length(s) + 1) == s;
}

procedure build(n: int)
  requires n >= 0;
{
  var s: Seq int;
  var i: int;
  s, i := empty(), 0;
  while (i < n)
    invariant length(s) == i && i <= n;
  {
    s, i := join(s, one(i)), i + 1;
  }
  assert length(s) == n;
}
