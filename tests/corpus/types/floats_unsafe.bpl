//# expect: unsafe@10
// Addition is not associative; the run has numbers that show it.
procedure main()
{
  var x, y, z: float11e5;
  var m: [int]float11e5;

  assume 0x0.0e0f11e5 < x && x < 0x4.0e0f11e5 && y == -x && 0x0.0e0f11e5 < z && z < x;
  m[1] := (x + z) + y;
  assert m[1] == z;
}
