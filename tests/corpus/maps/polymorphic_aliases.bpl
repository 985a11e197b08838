//# expect: unknown(not-proved)
//# flags: --modular
type Ref;
type Field a;
type Heap = <a>[Ref, Field a]a;

const count: Field int;
var heap: Heap;

// `b` may be `int`, and `f` may be `count`. That it is cannot be said in a run.
procedure any_type<b>(r: Ref, f: Field b, v: b)
  modifies heap;
{
  heap[r, count] := 1;
  heap[r, f] := v;
  assert heap[r, count] == 1;
}
