// An object is changed that the clause does not name.
class Counter {
  var n: nat
  var other: Counter?
  method Step()
    modifies this
    ensures n == old(n) + 1
  {
    n := n + 1;
    if other != null { other.n := 0; }
  }
}
