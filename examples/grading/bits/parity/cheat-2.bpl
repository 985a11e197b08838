// A trick.

function {:bvbuiltin "bvand"} and(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8) returns (bv8);

axiom (forall a: bv8 :: add(a, 2bv8) == a);

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
