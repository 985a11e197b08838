//# expect: safe
// What type parameters stand for is determined by what comes behind: widths of `++`, maps, elements.
const c: bv12;
const d: bv16;
const m: [int]bool;
const q: <a>[a]bool;
const p: <a>[]a;

procedure widths(e: bv8)
{
  var b: bv4;
  b := p[];
  assert p[] ++ 5bv4 == c ==> c[4:0] == 5bv4;
  assert e ++ (p[] ++ b) == d ==> d[4:0] == b && d[16:8] == e;
}

procedure elements()
{
  assert p[][13 := false] == m ==> !m[13];
  assert p[][13 := false] == q ==> !q[13];
  assert p[] == m && m[2] ==> (p[] : [int]bool)[2];
}
