//# expect: safe
//# flags: --modular
// Mutual recursion, a datatype below a map, and one that is recursive by way of another one's parameter.
datatype Tree { Leaf(), Node(value: int, children: Forest) }
datatype Forest { Empty(), More(first: Tree, rest: Forest) }
datatype Trie { End(), Branch(next: [int]Trie) }
datatype Pair<S, T> { Pair(left: S, right: T) }
datatype Rose<T> { Bud(), Rose(at: T, others: Pair (Rose T) (Rose T)) }

procedure mutual(x: int, f: Forest, t: Tree)
{
  assert Node(x, f) != Leaf();
  assert More(Node(x, f), Empty())->first->children == f;
  assert t != Node(x, More(t, f));
  assert f != More(Node(x, f), f);
}

procedure below_maps(m: [int]Trie, n: [int]Trie)
{
  assert Branch(m) == Branch(n) ==> m[7] == n[7];
  assert Branch(m[7 := End()])->next[7] is End;
}

procedure by_a_parameter(x: int, p: Pair (Rose int) (Rose int))
{
  assert Rose(x, p) != Bud();
  assert Rose(x, p)->others->left == p->left;
}
