//# expect: unsafe
// Runs through recursive datatypes: mutual recursion, a parameter, a field that a value does not have.
datatype Tree { Leaf(), Node(value: int, children: Forest) }
datatype Forest { Empty(), More(first: Tree, rest: Forest) }
datatype L<T> { N(), C(head: T, tail: L T) }

procedure tree(t: Tree)
{
  assert t is Node ==> t->children is Empty || t->children->first is Leaf || t->value == t->children->first->value; // FAILS
}

procedure lists(l: L int, m: L bool)
{
  if (l is C && m is C && m->head) {
    assert l->tail is N; // FAILS
  }
}

procedure absent(l: L int)
{
  assert l->head == 0; // FAILS
}
