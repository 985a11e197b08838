// Lists: append is associative, and lengths add up.
datatype List<T> = Nil | Cons(head: T, tail: List<T>)
function Append<T>(a: List<T>, b: List<T>): List<T>
{
  match a
  case Nil => b
  case Cons(x, rest) => Cons(x, Append(rest, b))
}
function Length<T>(a: List<T>): nat
{
  match a
  case Nil => 0
  case Cons(_, rest) => 1 + Length(rest)
}
lemma Associative<T>(a: List<T>, b: List<T>, c: List<T>)
  ensures Append(Append(a, b), c) == Append(a, Append(b, c))
{
}
lemma Lengths<T>(a: List<T>, b: List<T>)
  ensures Length(Append(a, b)) == Length(a) + Length(b)
{
}
lemma RightNil<T>(a: List<T>)
  ensures Append(a, Nil) == a
{
}
