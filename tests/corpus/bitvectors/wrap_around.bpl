//# expect: unsafe
function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvugt"} ugt(bv8, bv8) returns (bool);

procedure p(x: bv8)
{
  assert ugt(add(x, 1bv8), x); // FAILS
}
