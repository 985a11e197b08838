//# expect: unsafe
// As list.bpl, but a list with one number counts as empty.

datatype List { Nil(), Cons(head: int, tail: List) }

procedure length(l: List) returns (n: int)
{
  var m: int;
  if (l is Nil || l->tail is Nil) {
    n := 0;
  } else {
    call m := length(l->tail);
    n := m + 1;
  }
}

procedure main(l: List)
{
  var n: int;
  call n := length(Cons(7, l));
  assert n > 0; // FAILS
}
