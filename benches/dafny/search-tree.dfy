// A search tree as a value: what is inserted is in it, and it stays in order.
datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)
function Elements(t: Tree): set<int>
{
  match t
  case Leaf => {}
  case Node(l, v, r) => Elements(l) + {v} + Elements(r)
}
predicate Ordered(t: Tree)
{
  match t
  case Leaf => true
  case Node(l, v, r) =>
    Ordered(l) && Ordered(r) &&
    (forall x :: x in Elements(l) ==> x < v) && (forall x :: x in Elements(r) ==> v < x)
}
function Insert(t: Tree, x: int): Tree
{
  match t
  case Leaf => Node(Leaf, x, Leaf)
  case Node(l, v, r) =>
    if x < v then Node(Insert(l, x), v, r)
    else if v < x then Node(l, v, Insert(r, x))
    else t
}
lemma Inserted(t: Tree, x: int)
  requires Ordered(t)
  ensures Ordered(Insert(t, x))
  ensures Elements(Insert(t, x)) == Elements(t) + {x}
{
}
