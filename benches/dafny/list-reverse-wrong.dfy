// A list is not its own reverse.
datatype List = Nil | Cons(head: int, tail: List)
function Append(a: List, b: List): List
{
  match a
  case Nil => b
  case Cons(x, rest) => Cons(x, Append(rest, b))
}
function Reverse(a: List): List
{
  match a
  case Nil => Nil
  case Cons(x, rest) => Append(Reverse(rest), Cons(x, Nil))
}
lemma Once(a: List)
  ensures Reverse(a) == a
{
}
