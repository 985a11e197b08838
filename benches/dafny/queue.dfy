// A bounded queue in a ring, with its content as ghost state.
class Queue {
  ghost var content: seq<int>
  ghost var repr: set<object>
  var data: array<int>
  var first: nat
  var size: nat
  predicate Valid()
    reads this, repr
  {
    this in repr && data in repr &&
    data.Length > 0 && first < data.Length && size <= data.Length && |content| == size &&
    forall i :: 0 <= i < size ==>
      content[i] == (if first + i < data.Length then data[first + i] else data[first + i - data.Length])
  }
  constructor(capacity: nat)
    requires capacity > 0
    ensures Valid() && fresh(repr) && content == []
  {
    data := new int[capacity];
    first, size := 0, 0;
    content := [];
    new;
    repr := {this, data};
  }
  method Enqueue(x: int)
    requires Valid() && size < data.Length
    modifies repr
    ensures Valid() && fresh(repr - old(repr)) && content == old(content) + [x]
  {
    var at := if first + size < data.Length then first + size else first + size - data.Length;
    data[at] := x;
    size := size + 1;
    content := content + [x];
  }
  method Dequeue() returns (x: int)
    requires Valid() && size > 0
    modifies this
    ensures Valid() && repr == old(repr) && x == old(content)[0] && content == old(content)[1..]
  {
    x := data[first];
    first := if first + 1 == data.Length then 0 else first + 1;
    size := size - 1;
    content := content[1..];
  }
}
