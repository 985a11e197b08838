//# expect: safe
function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvult"} ult(bv8, bv8) returns (bool);
function {:bvbuiltin "bvxor"} xor(bv8, bv8) returns (bv8);

procedure p(x: bv8, y: bv8)
{
  assert add(255bv8, 1bv8) == 0bv8;
  assert xor(xor(x, y), y) == x;
  assert ult(x, 16bv8) ==> x[8:4] == 0bv4;
  assert (x[8:4] ++ x[4:0]) == x;
}
