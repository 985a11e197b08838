// A tree and its mirror image.
datatype Tree<T> = Leaf | Node(left: Tree<T>, value: T, right: Tree<T>)
function Mirror<T>(t: Tree<T>): Tree<T>
{
  match t
  case Leaf => Leaf
  case Node(l, v, r) => Node(Mirror(r), v, Mirror(l))
}
function Size<T>(t: Tree<T>): nat
{
  match t
  case Leaf => 0
  case Node(l, _, r) => Size(l) + 1 + Size(r)
}
lemma Twice<T>(t: Tree<T>)
  ensures Mirror(Mirror(t)) == t
{
}
lemma SameSize<T>(t: Tree<T>)
  ensures Size(Mirror(t)) == Size(t)
{
}
