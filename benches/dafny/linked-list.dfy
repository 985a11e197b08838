// A linked list with its nodes as a ghost set, and its content as a ghost sequence.
class Node {
  var value: int
  var next: Node?
  ghost var repr: set<Node>
  ghost var content: seq<int>
  predicate Valid()
    reads this, repr
    decreases repr
  {
    this in repr &&
    (next == null ==> content == [value]) &&
    (next != null ==>
      next in repr && next.repr <= repr && this !in next.repr && next.Valid() &&
      content == [value] + next.content)
  }
  constructor(x: int, rest: Node?)
    requires rest != null ==> rest.Valid()
    ensures Valid()
    ensures content == if rest == null then [x] else [x] + rest.content
    ensures fresh(repr - (if rest == null then {} else rest.repr))
  {
    value, next := x, rest;
    repr := if rest == null then {this} else {this} + rest.repr;
    content := if rest == null then [x] else [x] + rest.content;
  }
  method Length() returns (n: nat)
    requires Valid()
    ensures n == |content|
    decreases repr
  {
    if next == null { n := 1; }
    else { n := next.Length(); n := n + 1; }
  }
  method Has(x: int) returns (b: bool)
    requires Valid()
    ensures b <==> x in content
  {
    var at: Node? := this;
    ghost var before: seq<int> := [];
    while at != null
      invariant at != null ==> at.Valid() && content == before + at.content
      invariant at == null ==> content == before
      invariant x !in before
      decreases if at == null then {} else at.repr
    {
      if at.value == x { return true; }
      before := before + [at.value];
      at := at.next;
    }
    return false;
  }
}
