// A trick.

function {:bvbuiltin "bvand"} and(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvmul"} add(a: bv8, b: bv8) returns (bv8);

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
