//# expect: safe
// A recursive procedure with a loop of its own.
procedure grow(n: int) returns (r: int)
{
  var i, s: int;
  i := 0;
  r := 0;
  while (i < n) {
    call s := grow(i);
    r := r + s + 1;
    i := i + 1;
  }
}

procedure main(n: int)
{
  var r: int;
  call r := grow(n);
  assert r >= 0;
}
