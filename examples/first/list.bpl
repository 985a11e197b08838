//# expect: safe
// The length of a list, which is empty or has a first number and a rest.

datatype List { Nil(), Cons(head: int, tail: List) }

procedure length(l: List) returns (n: int)
  ensures n >= 0;
  ensures n == 0 <==> l is Nil;
{
  var m: int;
  if (l is Nil) {
    n := 0;
  } else {
    call m := length(l->tail);
    n := m + 1;
  }
}

procedure main(l: List)
{
  var n, m: int;
  call n := length(l);
  call m := length(Cons(7, l));
  assert m > 0;
}
