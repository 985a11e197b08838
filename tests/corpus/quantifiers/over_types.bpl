//# expect: safe
//# flags: --modular
type List _;

function empty<a>(): List a;
function cons<a>(x: a, l: List a): List a;
function length<a>(l: List a): int;
type Two a b;
function two<a, b>(x: a, y: b): Two a b;
function one_of<a, b>(t: Two a b): a;

axiom (forall<a> :: length(empty() : List a) == 0);
axiom (forall<a> x: a, l: List a :: { length(cons(x, l)) } length(cons(x, l)) == length(l) + 1);
axiom (forall<a, b> x: a, y: b :: { two(x, y) } one_of(two(x, y)) == x);

procedure of_numbers(n: int)
{
  assert length(empty() : List int) == 0;
  assert length(cons(n, empty())) == 1;
  assert length(cons(true, cons(false, empty()))) == 2;
  assert one_of(two(n, true)) == n;
  assert one_of(two(two(n, true), n)) == two(n, true);
}

procedure of_anything<t>(x: t, l: List t)
{
  assert length(cons(x, l)) > length(l);
  assert length(cons(l, empty())) == 1;
}
