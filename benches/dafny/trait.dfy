// A trait and the classes that have it.
trait Shape {
  function method Area(): nat
    reads this
}
class Square extends Shape {
  var side: nat
  function method Area(): nat reads this { side * side }
  constructor(s: nat) ensures side == s { side := s; }
}
class Fixed extends Shape {
  function method Area(): nat reads this { 7 }
  constructor() {}
}
method Use()
{
  var s := new Square(3);
  var f := new Fixed();
  assert s.Area() == 9;
  assert f.Area() == 7;
  var shapes: seq<Shape> := [s, f];
  assert shapes[0] == s;
}
