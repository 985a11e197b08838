//# expect: safe
function {:bvbuiltin "bvadd"} add(bv4, bv4) returns (bv4);

procedure p()
{
  var i: bv4;
  i := 0bv4;
  while (i != 10bv4) {
    i := add(i, 2bv4);
  }
  assert i[1:0] == 0bv1;
}
