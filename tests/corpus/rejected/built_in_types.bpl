//# expect: rejected(E0205 4) rejected(E0205 5)
// Where these names are used they mean bit-vectors and floating-point numbers. Others only look like them.
type bv; type bv1x; type float; type floate1;
type bv16;
type T, float24e8 = int;
procedure p() { }
