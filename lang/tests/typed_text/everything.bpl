type Ref; type Field a; type Map a b = [a]b;
datatype List<T> { Nil(), Cons(head: T, tail: List T) }
datatype Point { Point(x: int, y: int) }
const unique null: Ref; const top: Ref extends complete; const low: Ref extends unique top, null;
function {:bvbuiltin "bvadd"} add32(a: bv32, b: bv32) returns (bv32);
function {:inline} twice<T>(f: [T]T, v: T): T { f[f[v]] }
function empty<T>(): List T;
function P(int): bool;
axiom (forall<T> l: List T, h: T :: {Cons(h, l)} Cons(h, l)->tail == l && Cons(h, l) != (Nil(): List T));
axiom (forall i, j: int :: {:weight 3} {P(i), P(j)} {:nopats P(i + j)} i < j ==> P(i) ==> P(j));
axiom (exists i: int :: (var k, l := i * 2, 3; P(k + l)) <==> P(i) <==> true);
var mem: Map Ref [int]bv8; var heap: <a>[Ref, Field a]a; var f: float24e8; var r: real;
var list: List int; var point: Point; var {:tag "a\"b\\c", nowhere} g: int where g >= 0 && g - (g - 1) - 1 == 0;
procedure callee(a: int where a > 0, b: [int]int) returns (c: int); free requires a > b[0]; ensures {:msg "positive"} c > old(g); modifies g, mem;
procedure lemma(i: int); ensures P(i);
procedure generic<T>(v: T) returns (w: T);
procedure {:entry} main~1#x(p: Ref, field: Field bool) returns (ok: bool)
  modifies mem, heap, g, f, r, list, point;
{
  var i, j: int; var \old: [int]int where \old[0] == 1;
  mem[p][i] := 255bv8; mem[p] := mem[p][i := mem[p][j]]; heap[p, field] := true;
  i, \old[j] := j, i; point->x := 3; point := point->(y := 4);
  assert {:msg "f"} f / 0x1.8e0f24e8 == -f || f == 0NaN24e8 || f > 0-oo24e8 || f == 0x0.004e0f24e8;
  r := 1.5 + real(i) / 2.0 - int(r) / 3; r := 1e30 ** 2.0;
  assume {:x i + 1} if i > 0 then j == 1 else if j > 0 then true else !(i == j);
  havoc i, j;
  assert (0bv8 ++ mem[p][i])[12:4] == mem[p][0] && (lambda k: int :: k mod 2)[i] == 0;
  list := Cons(i div j * 2, Cons(1, Nil())); assert list is Cons && list->head == -1 && !((empty(): List bool) is Nil);
  call {:here} i := callee(i, \old); call forall lemma(*); free call lemma(3); call ok := generic(ok);
  outer: while (i < 10) free invariant i >= 0; invariant {:k} true; {
    while (*) { if (i > 3) { break outer; } else if (*) { break; } else if (j == 2) { return; } else { goto end, outer; } }
    block: if (i == 2) { break block; }
    if (i == 3) { } else { i := 4; j := i; }
  }
  end:
  yield; assert |{ A: goto A; }|;
}
procedure two(a: int); implementation two(b: int) { assert b > 0; } implementation two(a: int) { }
