//# expect: unsafe
//# flags: --modular
type Ref;
type Field a;
type Heap = <a>[Ref, Field a]a;

const unique count: Field int;
const unique next: Field Ref;
const unique old_count: Field int;
var heap: Heap;

function read<a>(h: Heap, r: Ref, f: Field a): a { h[r, f] }

procedure fields(r: Ref, s: Ref)
  modifies heap;
{
  heap[r, count] := 1;
  heap[r, next] := s;
  assert heap[r, count] == 1;
  assert read(heap, r, next) == s;
  heap[s, old_count] := 2;
  assert read(heap, r, count) == 1;
  heap[s, count] := 3;
  assert heap[r, count] == 1;    // FAILS
}

procedure frame(r: Ref, h: Heap) returns (g: Heap)
  requires h == heap;
  ensures g == heap[r, count := heap[r, count] + 1];
{
  g := h;
  g[r, count] := g[r, count] + 1;
}

procedure any_field<b>(r: Ref, f: Field b, v: b)
  modifies heap;
{
  heap[r, f] := v;
  assert heap[r, f] == v;
  assert (forall s: Ref :: s != r ==> heap[s, f] == old(heap)[s, f]);
}

// `b` may be `int`, and `f` may be `count`.
procedure any_type<b>(r: Ref, f: Field b, v: b)
  modifies heap;
{
  heap[r, count] := 1;
  heap[r, f] := v;
  assert heap[r, f] == v;
}

// Two maps that agree at all types that occur may still differ elsewhere.
procedure equal(g: Heap, h: Heap)
{
  assume (forall r: Ref, f: Field int :: g[r, f] == h[r, f]);
  assume (forall r: Ref, f: Field Ref :: g[r, f] == h[r, f]);
  assert g == h;    // FAILS
}

procedure by_value(m: <t>[t]int)
{
  var n: <t>[t]int;
  n := m[5 := 1][true := 2];
  assert n[5] == 1 && n[true] == 2;
  assert n[6] == m[6] && n[false] == m[false];
}
