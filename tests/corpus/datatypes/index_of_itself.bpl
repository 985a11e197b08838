//# expect: unknown(unsupported)
//# flags: --modular expect: unknown(unsupported)
// There are more maps than indices, so there is no such datatype: a diagonal would prove everything.
datatype Set { Of(has: [Set]bool), Other() }
datatype Map<K, V> { Map(at: [K]V) }
datatype Self { Self(to: Map Self Self), Zero(), One() }

procedure diagonal(s: Set)
{
  var russell: Set;
  russell := Of((lambda x: Set :: x is Of && !x->has[x]));
  assert russell->has[russell] == s->has[russell];
}

procedure diagonal_by_a_parameter(s: Self)
{
  var m: [Self]Self;
  m := (lambda x: Self :: if x->to->at[x] == Zero() then One() else Zero());
  assert m[Self(Map(m))] == m[s];
}
