//# expect: unsafe
// As length.bpl, but no list is said to have more than two elements.

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
  assert n <= 2;
  assert n == 0 <==> l is Nil;
}
