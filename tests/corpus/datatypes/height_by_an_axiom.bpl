//# expect: unknown(not-proved)
//# limit: 5
// An axiom about all lists is not one about the low ones. (There is a run; it is not looked for.)
datatype List { Nil(), Cons(head: int, tail: List) }
function depth(List): int;
axiom depth(Nil()) == 0;
axiom (forall l: List, x: int :: {depth(Cons(x, l))} depth(Cons(x, l)) == depth(l) + 1);
procedure high(l: List)
{
  assert depth(l) < 4;
}
