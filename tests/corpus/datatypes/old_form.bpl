//# expect: safe
//# flags: --modular
// Boogie's older form: constructors are functions, `f#C` reads the field `f` of `C`, `is#C` says what a value was built by.
type {:datatype} Vec _;
function {:constructor} Vec<T>(v: [int]T, l: int) : Vec T;

type {:datatype} Either _ _, List;
// In another order than that of the type, and before some of what it mentions.
function {:constructor} Right<B, A>(it: B) : Either A B;
function {:constructor} Left<A, B>(it: A) : Either A B;
function {:constructor} Nil() : List;
function {:constructor} Cons(int, tail: List) : List;

// No constructors: a type as any other.
type {:datatype} Plain;
const p, q: Plain;

function {:inline} extend<T>(s: Vec T, e: T): Vec T
{
  (var len := l#Vec(s); Vec(v#Vec(s)[len := e], len + 1))
}

procedure vectors(s: Vec int)
{
  assert Vec(v#Vec(s), l#Vec(s)) == s;
  assert is#Vec(s);
  assert s is Vec;
  assert v#Vec(extend(s, 7))[l#Vec(s)] == 7;
  assert l#Vec(extend(extend(s, 7), 8)) == l#Vec(s) + 2;
}

procedure cases(e: Either int bool, l: List)
{
  assert is#Left(e) || is#Right(e);
  assert !(is#Left(e) && is#Right(e));
  assert is#Left(e) ==> e == Left(it#Left(e));
  assert it#Right(Right(true) : Either int bool);
  assert l != Nil() ==> is#Cons(l) && Cons(l->arg0#Cons, tail#Cons(l)) == l;
  assert tail#Cons(Cons(1, l)) == l && arg0#Cons(Cons(1, l)) == 1;
  assert (forall n: List :: {tail#Cons(n)} is#Cons(n) ==> tail#Cons(n) != n);
}
