//# expect: safe
// Numbers with three bits of significand and two of exponent: not all are stored.
function {:builtin "(_ to_fp 2 3)"} number(bv5): float3e2;
function {:bvbuiltin "bvadd"} add(bv5, bv5): bv5;
procedure all() {
  var k: [float3e2]int;
  var b: bv5;
  k := (lambda x: float3e2 :: 0);
  b := 0bv5;
  k[number(b)] := 1; b := add(b, 1bv5);
  while (b != 12bv5) { k[number(b)] := 1; b := add(b, 1bv5); }
  assert k != (lambda x: float3e2 :: 1);
}
