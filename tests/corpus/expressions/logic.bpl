//# expect: unsafe
procedure p(a: bool, b: bool)
{
  assert (a ==> b) <==> (!a || b);
  assert !(a && b) <==> (!a || !b);
  assert (a <== b) <==> (b ==> a);
  assert (a ==> b) ==> (b ==> a); // FAILS
}
