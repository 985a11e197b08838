//! Statements.

use insta::assert_snapshot;

use super::show_default;

#[test]
fn straight_line() {
    assert_snapshot!(show_default(
        "
var g: int;
procedure p(n: int) returns (r: int)
modifies g;
requires n > 0;
ensures r == g;
{
  var x, y: int;
  x := n + 1;
  x, y := y, x;
  havoc x;
  assume x > y;
  assert {:msg \"never negative\"} x >= 0;
  g := x;
  r := g;
}
"
    ));
}

#[test]
fn branches() {
    assert_snapshot!(show_default(
        "
procedure p(n: int) {
  var x: int;
  if (n > 0) { x := 1; } else if (*) { x := 2; return; } else { x := 3; }
  assert x > 0;
}
"
    ));
}

#[test]
fn loops_breaks_and_invariants() {
    assert_snapshot!(show_default(
        "
procedure p(n: int) {
  var x: int;
  x := 0;
  outer: while (x < n)
    invariant x >= 0;
    free invariant n >= 0;
  {
    while (*) { if (x == 7) { break outer; } x := x + 2; break; }
    x := x + 1;
  }
  assert x >= n || x == 7;
}
"
    ));
}

#[test]
fn gotos_labels_and_dead_code() {
    assert_snapshot!(show_default(
        "
procedure p() {
  var x: int;
  again:
  x := x + 1;
  goto again, out;
  assert false;
  out:
  return;
}
"
    ));
}

#[test]
fn where_clauses() {
    assert_snapshot!(show_default(
        "
var g: int where g >= 0;
procedure p(n: int where n > 1) returns (r: int where r > 2)
modifies g;
{
  var x: int where x > n;
  havoc x, g;
  assert x + g > 1;
}
"
    ));
}

#[test]
fn old_values_are_remembered_only_where_they_are_used() {
    assert_snapshot!(show_default(
        "
var g, h, k: int;
procedure p()
modifies g, h;
ensures g == old(g) + old(k);
{
  h := 1;
  g := g + k;
  assert old(g + old(g)) == 2 * (g - k);
}
"
    ));
}

#[test]
fn several_implementations_and_free_contracts() {
    assert_snapshot!(show_default(
        "
procedure p(n: int) returns (r: int);
  free requires n > 0;
  free ensures r > 0;
  ensures r >= n;
implementation p(m: int) returns (s: int) { var t: int; t := m; s := t; }
implementation p(n: int) returns (r: int) { r := n + 1; }
"
    ));
}

#[test]
fn unsupported_constructs_stay_local() {
    assert_snapshot!(show_default(
        "
datatype D { A(f: int), B() }
procedure q(x: int);
  ensures (exists<T> m: T :: m == m);
procedure p() returns (d: D, x: int) {
  var s: <T>[T]T;
  x := d->f;
  assume d is A;
  assert d == d;
  if (d is B) { x := 1; }
  s[1] := 2;
  call q(d->f);
  call forall q(*);
  assert x == x + 1;
}
"
    ));
}

#[test]
fn a_statement_with_unknown_effect() {
    assert_snapshot!(show_default(
        "
var g: int;
procedure q() {}
procedure p(n: int) {
  var x: int;
  call q() | q();
  assert old(g) == g;
}
"
    ));
}

#[test]
fn what_is_abstracted_can_be_blocked() {
    let program =
        super::program("procedure p(x: int) { var r: real; r := 2.0 ** real(x); assert r > 0.0; }");
    let terms = ult_core::formula::Terms::new();
    let unit = super::units(&terms, &program, super::Options::default()).remove(0);
    let concrete = unit.without_abstractions(&terms);
    assert_eq!(unit.abstracted.len(), 1);
    for edge in unit.graph.graph.edge_indices() {
        let (before, after) = (&unit.graph.graph[edge], &concrete.graph[edge]);
        if unit.abstracted.contains_key(&edge) {
            assert_eq!(before.transition.formula, terms.tt());
            assert_eq!(after.transition.formula, terms.ff());
        } else {
            assert_eq!(before, after);
        }
    }
}
