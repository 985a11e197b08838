//! Expressions, functions, constants, axioms and types.

use insta::assert_snapshot;

use super::show_default;

#[test]
fn operators() {
    assert_snapshot!(show_default(
        "
procedure p(a: int, b: int, x: real, y: real, c: bool, d: bool) {
  assume a div b == a mod 3 && a div 0 == 1;
  assume x / y > 2.5 && x / 2.0 < y && a / b > 0.5;
  assume x ** 3.0 == y && int(x) == a && real(a) == y;
  assume (c ==> d) && (c <==> d) && !(c || d);
  assume -a - b * 2 <= (if c then a else b);
  assume x ** y > 1.0;
}
"
    ));
}

#[test]
fn bitvectors() {
    assert_snapshot!(show_default(
        "
function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin \"bvugt\"} gt(a: bv8, b: bv8) returns (bool);
function {:bvbuiltin \"zero_extend 8\"} wide(a: bv8) returns (bv16);
function {:bvbuiltin \"(_ sign_extend 8)\"} swide(a: bv8) returns (bv16);
function {:bvbuiltin \"(_ extract 7 4)\"} top(a: bv8) returns (bv4);
function {:bvbuiltin \"rotate_left 3\"} rot(a: bv8) returns (bv8);
function {:bvbuiltin \"bvadd\"} wrong(a: bv8, b: bv8) returns (bool);
function {:builtin \"no_such\"} unknown(a: bv8) returns (bool);
procedure p(a: bv8, b: bv8) {
  assume add(a, 255bv8) == b && gt(a, b);
  assume wide(a) == a ++ b && swide(b)[8:0] == a;
  assume top(a) == 3bv4 && rot(a) == b;
  assume wrong(a, b);
  assume unknown(a);
}
"
    ));
}

#[test]
fn maps_lambdas_and_quantifiers() {
    assert_snapshot!(show_default(
        "
type Ref;
type Pair _ _;
function f(Ref) returns (int);
function {:builtin \"MapConst\"} all(int) returns ([Ref]int);
function {:builtin \"MapAdd\"} plus([Ref]int, [Ref]int) returns ([Ref]int);
procedure p(m: [Ref]int, n: [int, Ref][int]bool, r: Ref, q: Pair int Ref, q2: Pair int Ref)
returns (k: [Ref]int)
modifies n2;
{
  k[r] := 1;
  n2[1, r][2] := true;
  k := all(3);
  k := plus(m, (lambda s: Ref :: m[s] + 1));
  assume (forall s: Ref :: {f(s)} {m[s], f(s)} {f(s) + 1} m[s] == f(s));
  assume (exists i: int :: n[i, r][i] && q == q2);
  assume (var s, t := k[r], 2; (var s := s + t; s * 2)) == 3;
  assume k[r := 4][r] == 4 && k[r := 4] == m;
}
var n2: [int, Ref][int]bool;
"
    ));
}

#[test]
fn defined_functions_are_expanded() {
    assert_snapshot!(show_default(
        "
function twice(x: int) returns (int) { x + x }
function {:inline} four(x: int): int { twice(twice(x)) }
function some(x: int): bool { (exists y: int :: x == y + y) }
function fac(n: int): int { if n <= 0 then 1 else n * fac(n - 1) }
function id<T>(x: T): T { x }
function opaque<T>(x: T): int;
procedure p(n: int, b: bool) {
  assume four(n) == 8 && fac(n) == 24;
  assume some(n) && some((if some(n) then 1 else 2));
  assume id(n) == 2 && id(b);
  assume opaque(n) == opaque(b);
}
"
    ));
}

#[test]
fn constants_and_axioms() {
    assert_snapshot!(show_default(
        "
type T;
const unique a: T;
const unique b: T;
const c: T;
const unique d: T;
const n: int;
function f(T): int;
axiom n > 3;
axiom (forall x: T :: f(x) > n);
axiom (forall<S> x: S :: x == x);
const e: T extends c;
procedure p() { assert f(a) > 3 && a != c; }
"
    ));
}

#[test]
fn floats() {
    assert_snapshot!(show_default(
        "
type {:builtin \"FloatingPoint\"} {:indices 5, 11} half;
function {:builtin \"fp\"} make(s: bv1, e: bv5, m: bv10): half;
function {:builtin \"fp.add RNE\"} add(a: half, b: half): half;
function {:builtin \"(_ to_fp 5 11) RTZ\"} of_real(r: real): half;
const {:builtin \"+oo\"} {:indices 5, 11} inf: half;
procedure p(a: half, x: float24e8) {
  assert add(a, inf) == make(0bv1, 31bv5, 0bv10);
  assert of_real(1.5) == a;
  assert x + x >= x && x == x;
  assert x != 0x1.8e0f24e8;
}
"
    ));
}

#[test]
fn names_do_not_collide() {
    assert_snapshot!(show_default(
        "
var div0: int;
var x: int;
procedure p(x: int) {
  var old.x: int;
  old.x := x div old.x;
  assert old.x >= 0;
}
"
    ));
}

#[test]
fn axioms_that_define_are_unfolded_and_others_stay() {
    assert_snapshot!(show_default(
        "
function inc(int) returns (int);
axiom (forall i: int :: inc(i) == i + 1);
function minus(x: int, y: int) returns (int);
axiom (forall x, y: int :: minus(y, x) == y - x);
function positive(x: int) returns (bool);
axiom (forall i: int :: i > 0 <==> positive(i));

// Mentioned elsewhere, each.
function up(int) returns (int);
function down(int) returns (int);
axiom (forall i: int :: up(i) == down(i) + 2);
axiom (forall i: int :: down(i) == up(i) - 2);
// With a trigger.
function kept(int) returns (int);
axiom (forall i: int :: {kept(i)} kept(i) == i);
// Only about the diagonal.
function same(x: int, y: int) returns (bool);
axiom (forall x: int :: same(x, x) == true);
// For all `y` alike.
function first(x: int) returns (int);
axiom (forall x: int, y: int :: first(x) == x + y);
// Of itself.
function self(x: int) returns (int);
axiom (forall x: int :: self(x) == self(x + 1));

procedure p(a: int, b: int) {
  assume inc(a) == minus(a, b) && positive(b);
  assume up(a) == down(b) && kept(a) == self(b);
  assume same(a, b) && first(a) == b;
}
"
    ));
}
