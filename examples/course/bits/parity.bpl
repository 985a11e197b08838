// Exercise: an invariant about a bit. The counter has 8 bits and overflows. Write an invariant with `and`.
//
// How it is checked: `ult check --modular`.

function {:bvbuiltin "bvand"} and(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8) returns (bv8);

procedure even()
{
  var x: bv8;
  x := 0bv8;
  while (*)
    // invariant ...;
  {
    x := add(x, 2bv8);
  }
  assert x != 5bv8;
}
