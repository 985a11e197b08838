//# expect: unsafe
// Equal sequences of one element say that there is one element.
type T;
type {:builtin "Seq"} Seq _;
function {:builtin "seq.unit"} one(v: T): Seq T;
procedure p(k: [T]int, c: T) {
  assume (forall s: Seq T, t: Seq T :: s != one(c) ==> t != s || s == t) && (forall x: T :: one(x) == one(c));
  assume k == (lambda y: T :: 0);
  assert k[c := 1] != (lambda y: T :: 1); // FAILS
}
