//# expect: unsafe
//# flags: --modular
datatype Pair<T, U> { Pair(first: T, second: U) }

var p: Pair int bool;

procedure build(i: int)
  modifies p;
{
  var q: Pair int bool;
  p := Pair(i, true);
  assert p->first == i && p->second;
  p->first := p->first + 1;
  assert p == Pair(i + 1, true);
  q := p->(second := false);
  assert q->first == p->first;
  assert q == p;    // FAILS
}

procedure swap(x: Pair int int) returns (y: Pair int int)
  ensures y == Pair(x->second, x->first);
{
  y := x;
  y->first := x->second;
  y->second := x->first;
}

procedure taken_apart(x: Pair int int)
{
  assert x == Pair(x->first, x->second);
  assert x is Pair;
  assert (forall a: Pair int int :: a->first == x->first ==> a->second == x->second ==> a == x);
}
