//# expect: rejected(E0321 5) rejected(E0321 6) rejected(E0321 7) rejected(E0205 9) rejected(E0202 12)
// Constructors of datatypes in Boogie's older form that are none.
type {:datatype} Vec _, Pair _ _;
function {:constructor} Vec<T>(l: int, v: T) : Vec T;
function {:constructor} Ints(l: int) : Vec int;
function {:constructor} Twice<T>(l: T) : Pair T T;
function {:constructor} More<T, U>(l: T, u: U) : Vec T;
// Twice.
function l#Vec(x: int): int;
procedure main(v: Vec int)
{
  assert m#Vec(v) == 1;
}
