// Simplified expressions have the same value.
datatype Expr = Num(n: int) | Var(x: int) | Add(a: Expr, b: Expr) | Mul(a: Expr, b: Expr)
function Value(e: Expr, env: map<int, int>): int
{
  match e
  case Num(n) => n
  case Var(x) => if x in env then env[x] else 0
  case Add(a, b) => Value(a, env) + Value(b, env)
  case Mul(a, b) => Value(a, env) * Value(b, env)
}
function Simplify(e: Expr): Expr
{
  match e
  case Num(_) => e
  case Var(_) => e
  case Add(a, b) =>
    var a', b' := Simplify(a), Simplify(b);
    if a' == Num(0) then b' else if b' == Num(0) then a' else Add(a', b')
  case Mul(a, b) =>
    var a', b' := Simplify(a), Simplify(b);
    if a' == Num(1) then b' else if b' == Num(1) then a' else Mul(a', b')
}
lemma Same(e: Expr, env: map<int, int>)
  ensures Value(Simplify(e), env) == Value(e, env)
{
}
