// A solution: the last bit stays 0, also when the counter overflows.

function {:bvbuiltin "bvand"} and(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8) returns (bv8);

procedure even()
{
  var x: bv8;
  x := 0bv8;
  while (*)
    invariant and(x, 1bv8) == 0bv8;
  {
    x := add(x, 2bv8);
  }
  assert x != 5bv8;
}
