//# expect: unknown(unsupported)
datatype List { Nil(), Cons(head: int, tail: List) }

procedure p(l: List)
{
  assert l is Nil;
}
