//# expect: safe
// Runs are looked for among values of limited height; what is true of all values only is not violated there.
datatype List { Nil(), Cons(head: int, tail: List) }
procedure larger(l: List)
{
  assert (exists m: List :: m is Cons && m->tail == l);
}
procedure all(s: [List]bool, l: List)
{
  assume (forall m: List :: m is Cons ==> s[m]);
  assert s[Cons(1, l)];
}
procedure equal(s: [List]int, l: List)
{
  assume s == (lambda m: List :: if m is Nil then 0 else 1);
  assert s[Cons(1, l)] == 1;
}
procedure built()
{
  var l: List;
  l := Cons(6, Cons(5, Cons(4, Cons(3, Cons(2, Cons(1, Nil()))))));
  assert l->head == 6;
  assert l->tail->tail->head == 4;
}
