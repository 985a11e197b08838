//# expect: unknown(not-proved)
//# flags: --modular expect: unknown(not-proved)
//# limit: 5
// No axiom says which constructor made a list that is given.
datatype List { Nil(), Cons(head: int, tail: List) }

procedure p(l: List)
{
  assert l is Nil;
}
