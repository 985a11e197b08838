// A stack in an array that grows.
class Stack {
  ghost var content: seq<int>
  var data: array<int>
  var size: nat
  predicate Valid()
    reads this, data
  {
    size <= data.Length && content == data[..size]
  }
  constructor()
    ensures Valid() && fresh(data) && content == []
  {
    data := new int[4];
    size := 0;
    content := [];
  }
  method Push(x: int)
    requires Valid()
    modifies this, data
    ensures Valid() && content == old(content) + [x]
    ensures data == old(data) || fresh(data)
  {
    if size == data.Length {
      var larger := new int[2 * size + 1];
      forall i | 0 <= i < size { larger[i] := data[i]; }
      data := larger;
    }
    data[size] := x;
    size := size + 1;
    content := content + [x];
  }
  method Pop() returns (x: int)
    requires Valid() && content != []
    modifies this
    ensures Valid() && data == old(data)
    ensures content == old(content)[..|old(content)| - 1] && x == old(content)[|old(content)| - 1]
  {
    size := size - 1;
    x := data[size];
    content := content[..size];
  }
}
