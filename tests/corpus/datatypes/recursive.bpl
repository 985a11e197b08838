//# expect: unsafe
//# flags: --modular
// No axiom says which constructor made a list that is given: it may be any.
datatype List { Nil(), Cons(head: int, tail: List) }

procedure p(l: List)
{
  assert l is Nil; // FAILS
}
