//# expect: safe
//# flags: --modular
datatype Option<T> { None(), Some(value: T) }
datatype Entry<K, V> { Entry(key: K, before: Option V, now: Option V) }

procedure nested(e: Entry int (Option bool)) returns (f: Entry int (Option bool))
{
  f := e;
  if (e->now is None) {
    f->now := Some(Some(true));
  }
  assert f->now is Some;
  assert e->now == None() ==> f->now->value->value;
  assert f->key == e->key && f->before == e->before;
}
