//# expect: safe
// Constants and maps are the same in all activations.
const limit: int;
axiom limit > 10;

procedure fill(a: [int]int, i: int) returns (b: [int]int)
{
  if (i >= limit) {
    b := a;
  } else {
    call b := fill(a[i := 7], i + 1);
  }
}

procedure main(a: [int]int)
{
  var b: [int]int;
  call b := fill(a, limit);
  assert b[3] == a[3];
}
