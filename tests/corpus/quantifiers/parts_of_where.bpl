//# expect: safe
//# flags: --engine slicing
// What is compared inside of the quantifier is no condition on states.
procedure main()
{
  var m: [bool]int where (forall z: bool :: 0 <= m[z] && m[z] < 3);
  while (*) {
    m[false] := 1;
  }
  assert m[true] >= 0;
}
