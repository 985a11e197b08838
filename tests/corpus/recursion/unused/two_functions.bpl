//# expect: unsafe
//# flags: --modular
// Two functions that are defined by each other, of no interest here.
function even(n: int): bool { if n <= 0 then true else odd(n - 1) }
function odd(n: int): bool { if n <= 0 then false else even(n - 1) }

procedure main()
{
  var x: int;
  x := 3;
  assert x == 4;   // FAILS
}
