// A list reversed twice is the list.
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
lemma ReverseOfAppend(a: List, x: int)
  ensures Reverse(Append(a, Cons(x, Nil))) == Cons(x, Reverse(a))
{
}
lemma Twice(a: List)
  ensures Reverse(Reverse(a)) == a
{
  match a
  case Nil =>
  case Cons(x, rest) =>
    Twice(rest);
    ReverseOfAppend(Reverse(rest), x);
}
