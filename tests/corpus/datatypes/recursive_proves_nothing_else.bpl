//# expect: unsafe
//# flags: --modular
//# limit: 15
// What is said of recursive datatypes contradicts nothing: none of this is proved.
datatype List { Nil(), Cons(head: int, tail: List) }
datatype Tree { Leaf(), Node(children: [int]Tree, around: List) }

procedure lists(l: List, m: List)
{
  assume l is Cons && m is Cons && l->head == m->head;
  assert l == m; // FAILS
}

procedure trees(t: Tree)
{
  assume t is Node && t->children[0] is Node;
  assert t->children[0]->around == t->around;
}

procedure infinitely_many(l: List)
{
  assume (forall m: List, n: int :: Cons(n, m) != l);
  assert l is Cons;
}
