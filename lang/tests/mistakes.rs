//! What the front end says about common mistakes: snapshots with the source and its diagnostics together.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test; its helpers are shared with others"
)]

mod support;

use support::render;
use ult_lang::{Modifies, analyze_boogie_with, analyze_graph};

fn boogie(text: &str) -> String {
    let text = text.trim_start_matches('\n');
    render(text, &analyze_boogie_with(text, Modifies::Check).1)
}

fn graph(text: &str) -> String {
    let text = text.trim_start_matches('\n');
    render(text, &analyze_graph(text).1)
}

macro_rules! mistakes {
    ($reader:ident: $($name:ident = $text:literal;)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!($reader($text));
            }
        )*
    };
}

mistakes! { boogie:
    unknown_names = r#"
type Node;
function size(n: Node) returns (int);
procedure step(n: Node);

procedure main() {
  var node: Node, total: int;
  total := sise(nod);
  total := size;
  total := step(node);
  call stepp(node);
  call size(node);
  goto over;
over1:
}
const root: Nod;
"#;

    declared_twice = r#"
type T;
type T = int;
const x: int;
var x: bool;
function f(a: int, a: int) returns (int);
datatype D { f(), Pair(left: int, left: int) }
procedure p(a: int) returns (a: int);
procedure p();
procedure main(n: int) {
  var n: bool;
  var m: int;
  assert (forall i: int, i: int :: i == i);
  assert (var y, y := 1, 2; y == y);
again:
again:
}
"#;

    shadowing_is_allowed = r#"
var x: int;
procedure main(y: int) {
  var x: bool;
  assume x;
  assert (forall x: real, y: bv8 :: x == 1.0 && y == 1bv8);
  assert (var x := y; x == y);
}
"#;

    condition_must_be_bool = r#"
procedure main(x: int)
  requires x;
  ensures 1;
{
  assert x;
  assume x + 1;
  if (x) { }
  while (2) invariant x; { }
}
axiom 3;
var g: int where 4;
"#;

    operands = r#"
procedure main(i: int, r: real, b: bool, v: bv8, w: bv16) {
  assert i + r == 1.0;
  assert i < b;
  assert b && i;
  assert v + v == v;
  assert v == w;
  assert !i;
  assert -b == b;
  assert i div r == 1;
  assert i ** i == 1.0;
  assert i ++ v == 1bv8;
  assert b ==> i;
  assert r mod r == r;
}
"#;

    an_int_literal_is_no_real = r#"
procedure main() {
  var r: real;
  r := 1;
  r := 1.0 + 2;
  r := real(1);
}
"#;

    arguments = r#"
function max(a: int, b: int) returns (int);
procedure p(a: int, b: bool) returns (c: int, d: bool);
procedure main() {
  var x: int;
  var y: bool;
  x := max(1);
  x := max(1, true);
  call p(1, true);
  call x, y := p(1);
  call x, y := p(true, 1);
  call y, x := p(1, true);
  call x, x := p(1, true);
}
"#;

    maps = r#"
type M = [int, bool]real;
procedure main(n: int) {
  var m: M;
  var k: [int][int]int;
  assert m[1] == 1.0;
  assert m[true, 1] == 1.0;
  m[1, true] := 1;
  m[1] := 1.0;
  assert n[0] == 1;
  k[0][true] := 1;
  k[0] := 1;
  assert k[0 := k[1]] == m;
}
"#;

    bit_vectors = r#"
procedure main(v: bv8) {
  assert v[9:0] == 0bv9;
  assert v[8:4] == 0bv8;
  assert v == 256bv8;
  assert v ++ v == 0bv15;
  assert 1[2:0] == 0bv2;
}
"#;

    assignments = r#"
const c: int;
var g: int;
procedure main(i: int) returns (o: int)
  modifies g;
{
  var x: int, y: int;
  i := 1;
  c := 1;
  x, x := 1, 2;
  x, y := 1;
  x := true;
  g, o := 1, 2;
  havoc i, c;
  z := 1;
}
"#;

    old_needs_two_states = r#"
var g: int;
function f(x: int) returns (int) { old(x) }
procedure main()
  requires old(g) == 0;
  modifies g;
  ensures old(g) == g;
{
  var l: int where old(l) == l;
  g := old(g);
}
"#;

    globals_have_no_value_without_a_state = r#"
var g: int;
const c: int;
axiom g == c;
function f() returns (int) { g }
pure procedure p() {
  assert g == 0;
}
"#;

    out_parameters_are_not_visible_in_requires = r#"
procedure p(i: int) returns (o: int);
  requires o == 0;
  ensures o == i;
"#;

    modifies = r#"
var g: int;
var h: int;
const c: int;
procedure set_g();
  modifies g;
procedure main()
  modifies h, c, hh;
{
  g := 1;
  h := 1;
  havoc g;
  call set_g();
  call g := get();
}
procedure get() returns (x: int);
"#;

    pure_procedures = r#"
var g: int;
procedure effect();
pure procedure p();
  modifies g;
pure procedure q() {
  call effect();
  call p();
}
"#;

    implementations = r#"
procedure p<a>(x: a, y: int) returns (z: bool);
implementation p<b>(u: b, v: int) returns (w: bool) { w := true; }
implementation p<b>(u: b, v: bool) returns (w: bool) { }
implementation p(u: int, v: int) returns (w: bool) { }
implementation p<b>(u: b) returns (w: bool, t: bool) { }
implementation q() { }
"#;

    labels_and_breaks = r#"
procedure main() {
  break;
outer:
  while (*) {
inner:
    if (*) {
      break inner;
    } else {
      break outer;
    }
    break;
    break nowhere;
  }
  break outer;
  goto outer, inner, lost;
}
"#;

    polymorphic_functions = r#"
function id<a>(x: a) returns (a);
function pair<a>(x: a, y: a) returns (bool);
function any<a>() returns (a);
procedure main(x: int, y: bool) {
  assert id(x);
  assert id(y);
  assert pair(x, y);
  assert pair(id(x), 1);
  assert any()[0] == 1;
  assert (any(): [int]bool)[0];
}
function unused<a>(x: int) returns (int);
"#;

    bodies_of_polymorphic_functions = r#"
function first<a>(x: a, y: a) returns (a) { x }
function wrong<a>(x: a) returns (a) { 5 }
function wronger<a, b>(x: a, y: b) returns (a) { first(x, y) }
"#;

    polymorphic_maps = r#"
type Field a;
type Heap = <a>[int, Field a]a;
const size: Field int;
const flag: Field bool;
procedure main(h: Heap) returns (k: Heap) {
  k := h;
  k[0, size] := 1;
  k[0, flag] := 1;
  assert h[0, flag];
  assert h[0, size];
  assert h[flag, 0];
}
var bad: <a>[int]int;
"#;

    type_arguments = r#"
type Field a;
type Pair a b = [a]b;
var f: Field;
var g: Field int int;
var h: Pair int;
var i: Pair int bool;
procedure p<t>(x: t int);
"#;

    cyclic_synonyms = r#"
type A = [int]B;
type B = C;
type C = A;
type D = int;
var a: A;
var d: D;
"#;

    types_too_large = r#"
type A a = [a, a, a, a, a, a, a, a, a, a]a;
type B = A (A (A (A int)));
var x: B;
"#;

    datatypes = r#"
datatype Shape { Circle(size: int), Square(size: int, name: string) }
datatype Odd { One(size: int), Two(size: bool) }
procedure main(s: Shape, n: int) {
  var t: Shape;
  var x: int, y: bool;
  assert s->side == 1;
  assert n->size == 1;
  assert s is Circl;
  assert n is Circle;
  t := Circle(true);
  t := Square(1);
  t := s->(size := true);
  t->size := true;
  Circle(y) := s;
  Square(x) := s;
  Circle(x) := n;
  main(x) := s;
}
"#;

    triggers = r#"
function f(x: int) returns (int);
axiom (forall x: int :: { x } f(x) == 0);
axiom (forall x: int :: { f(x) == 0 } f(x) == 0);
axiom (forall x: int :: { !(x < 1) } f(x) == 0);
axiom (forall x: int, y: int :: { f(x) } { f(x), f(y) } f(x) == y);
axiom (forall x: int :: { f(x + 1) } {:weight 5} f(x) == 0);
"#;

    lets_and_lambdas = r#"
procedure main() {
  var m: [int]bool;
  assert (var x, y := 1; x == 1);
  m := (lambda i: int :: i);
  m := (lambda i: int :: i > 0);
  m := (lambda i: bool :: i);
  assert (lambda<a> i: int :: i)[0] == 0;
}
"#;

    if_then_else = r#"
procedure main(x: int) {
  assert (if x then 1 else 2) == 1;
  assert (if x > 0 then 1 else true) == 1;
  assert (if x > 0 then 1 else if x > 1 then 2 else 3) == 1;
}
"#;

    lemmas = r#"
var g: int;
procedure lemma(x: int, y: bool);
procedure not_one(x: int) returns (y: int);
procedure nor_this();
  modifies g;
procedure main() {
  call forall lemma(*, true);
  call forall lemma(*);
  call forall lemma(true, *);
  call forall not_one(*);
  call forall nor_this();
}
"#;

    returned_values = r#"
procedure main() returns (r: int) {
  return r + 1;
}
"#;

    unsupported_statements = r#"
procedure p();
procedure main() {
  yield;
  call p() | p();
  async call p();
  assert |{ A: goto A; }|;
}
"#;

    division_of_ints = r#"
procedure main(x: int, y: int, r: real) returns (i: int, s: real) {
  s := x / y;
  i := x / y;
  i := x / y / 2 + 1;
  assert r / x == x / y;
  assert x / y == true;
}
"#;

    constants = r#"
type Wicket;
const unique a: Wicket;
const b: Wicket extends unique a, c complete;
const d: Wicket extends z, f;
const c: Wicket;
function f(w: Wicket) returns (bool);
axiom a <: b && a <: 1;
"#;

    attributes_are_free_form = r#"
procedure {:entrypoint} {:weight 2 + 3, "x", nonsense} main(x: int) {
  assert {:msg "no"} {:expr x + 1} x == x;
}
"#;

    attributes_have_types = r#"
var {:assumption} b: int where b > 0;
procedure main(x: int) {
  var {:assumption} a: bool;
  assert {:weight 1 + true} {:id "first"} {:verified_under x} x == x;
  assume {:minimize x, x} {:id "first"} (forall y: int :: {:nopats y + 1, y} y == y);
  a := x > 0;
  a := a && x > 0;
  a := a && x > 1;
}
"#;

    datatypes_without_values = r#"
datatype Stream { Next(head: int, tail: Stream) }
datatype Tree<T> { Node(value: T, children: List (Tree T)) }
datatype List<T> { Nil(), Cons(head: T, tail: List T) }
"#;

    code_expressions = r#"
procedure main(x: int) {
  assert |{ var y: int; A: y := x; goto B, C; B: assume y > 0; return true; C: assume y <= 0; return y < 1; }|;
}
"#;

    names_that_stand_nowhere_else_are_unknown_also_beside_a_syntax_error = r#"
procedure main(n: int) {
  var x: int;
  var late int;
  x := 3 + ;
  late := 1;
  x := countr + countr;
  if (n > 0) {
    call helpr(x);
    assert lenght(x) == (n;
  }
  y := x;
}
"#;

    names_after_a_syntax_error_are_not_reported = r#"
var count int;
procedure main() {
  count := 1;
  assert 1;
}
"#;
}

mistakes! { graph:
    graph_names = r#"
const limit: int;
graph g {
  var x: int, x: bool;
  var y: int;
  init a;
  location a;
  a -> b: x' == y + 1 && y' == limit';
  b -> c { local t: int; havoc y, t, z; let d := x > t; d && d' }
  c -> a: x + 1;
  a -> a: w == 0;
}
graph g { init a; a -> a; }
graph h { a -> b; }
"#;
}
