//# expect: safe
//# flags: --modular
datatype List<T> { Nil(), Cons(head: T, tail: List T) }

function length<T>(l: List T): int { if l == Nil() then 0 else 1 + length(l->tail) }

procedure constructors(a: int, b: int, l: List int, m: List int)
{
  assert Cons(a, l) != Nil();
  assert Cons(a, l)->head == a && Cons(a, l)->tail == l;
  assert Cons(a, l) == Cons(b, m) ==> a == b && l == m;
  assert l is Nil || l is Cons;
  assert l is Cons ==> l == Cons(l->head, l->tail);
  assert Nil() is Nil && !(Cons(a, l) is Nil);
}

procedure no_list_contains_itself(a: int, b: int, l: List int)
{
  assert l != Cons(a, l);
  assert l != Cons(a, Cons(b, l));
}

procedure three_more(l: List bool)
{
  var m: List bool;
  m := Cons(true, Cons(false, Cons(true, l)));
  assert length(m) == 3 + length(l);
}

procedure count(l: List int) returns (n: int)
  ensures n == length(l);
{
  if (l == Nil()) {
    n := 0;
  } else {
    call n := count(l->tail);
    n := n + 1;
  }
}
