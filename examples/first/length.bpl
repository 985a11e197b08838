//# expect: safe
// The length of a list, by recursion: it is never negative, and 0 for the empty list only.

datatype List {
  Nil(),
  Cons(head: int, tail: List)
}

procedure length(l: List) returns (n: int) {
  if (l is Nil) {
    n := 0;
  } else {
    call n := length(l->tail);
    n := n + 1;
  }
}

procedure main(l: List) {
  var n: int;

  call n := length(l);
  assert n >= 0;
  assert n == 0 <==> l is Nil;
}
