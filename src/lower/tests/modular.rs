//! The modular reading.

use insta::assert_snapshot;

use super::show;
use crate::Options;

fn show_modular(text: &str) -> String {
    let options = Options {
        modular: true,
        ..Options::default()
    };
    show(text, options)
}

#[test]
fn while_loops_are_cut_at_their_invariants() {
    assert_snapshot!(show_modular(
        "
procedure p(n: int) returns (x: int) {
  var y: int where y > 0;
  x := 0;
  while (x < n)
    invariant x >= 0;
    free invariant n > 0;
  {
    while (y > 0) { y := y - 1; }
    x := x + 1;
  }
  assert x >= n;
}
"
    ));
}

#[test]
fn goto_loops_are_cut_at_their_leading_assertions() {
    assert_snapshot!(show_modular(
        "
procedure p(n: int) {
  var x, y: int;
  x := 0;
  head:
  assert x >= 0;
  assume y > 1;
  assert y > 0;
  x := x + 1;
  goto head, out;
  out:
  assert x > 0;
}
"
    ));
}

#[test]
fn loops_with_two_entries() {
    assert_snapshot!(show_modular(
        "
procedure p() {
  var x: int;
  goto a, b;
  a: x := 1; goto b;
  b: assert x > 0; goto a, out;
  out: return;
}
"
    ));
}

#[test]
fn calls_go_through_contracts() {
    assert_snapshot!(show_modular(
        "
var g: int where g > 0;
procedure p(n: int where n > 1) returns (r: int where r > 0)
modifies g;
requires n > 2;
ensures r == n;
{ r := n; call g := p(5); }
"
    ));
}
