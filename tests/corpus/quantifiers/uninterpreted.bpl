//# expect: unsafe
type T;
function g(t: T) returns (int);

procedure p(s: T, t: T)
{
  assert s == t ==> g(s) == g(t);
  assert g(s) == g(t) ==> s == t; // FAILS
}
