//# expect: unknown(not-proved)
//# flags: --modular
// Nothing of this follows. Runs with sequences are not told.
type {:builtin "Seq"} Seq _;
function {:builtin "seq.empty"} empty(): Seq int;
function {:builtin "seq.len"} length(s: Seq int): int;
function {:builtin "seq.++"} join(s: Seq int, t: Seq int): Seq int;
function {:builtin "seq.unit"} one(v: int): Seq int;
function {:builtin "seq.nth"} at(s: Seq int, i: int): int;
function {:builtin "seq.extract"} part(s: Seq int, from: int, count: int): Seq int;

procedure commutes(s: Seq int, t: Seq int)
{
  assert join(s, t) == join(t, s);
}

// An element outside of a sequence is some integer.
procedure outside(s: Seq int)
{
  assume length(s) == 0;
  assert at(s, 0) == 0;
}

procedure longer(s: Seq int)
{
  assert length(part(s, 1, 2)) == 2;
}
