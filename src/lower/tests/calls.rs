//! Calls.

use insta::assert_snapshot;

use super::{program, show, show_default};
use crate::{CallPolicy, EntryError, Lowering, Options};
use ult_core::formula::Terms;

const NESTED: &str = "
var g: int;
procedure main()
modifies g;
{
  var a: int;
  g := 1;
  call a := inc(g + 1);
  call a := inc(a);
  assert a > old(g);
}
procedure inc(n: int) returns (r: int)
requires n > 0;
modifies g;
ensures g == old(g) + 1;
{
  var t: int where t >= 0;
  call bump();
  assert g > 0;
  r := n + t;
}
procedure bump()
modifies g;
{
  g := g + 1;
}
";

#[test]
fn inlined_and_known_to_be_right() {
    assert_snapshot!(show_default(NESTED));
}

#[test]
fn inlined_and_checked_in_place() {
    let options = Options {
        entries: vec!["main".into()],
        ..Options::default()
    };
    assert_snapshot!(show(NESTED, options));
}

#[test]
fn contracts_by_choice() {
    let options = Options {
        calls: CallPolicy::Contract,
        entries: vec!["main".into()],
        ..Options::default()
    };
    assert_snapshot!(show(NESTED, options));
}

#[test]
fn without_a_body_the_contract_is_the_meaning() {
    assert_snapshot!(show_default(
        "
var g: int where g > 0;
procedure read(n: int) returns (r: int where r > 5);
  requires n > 0;
  free requires n > 7;
  modifies g;
  ensures r == g + n;
  free ensures g > old(g);
procedure p(n: int) returns (x: int)
modifies g;
{
  call x := read(n + x);
  call g := read(g);
  free call x := read(0);
  call {:x} x := read(1);
  assert x > 0;
}
"
    ));
}

const RECURSIVE: &str = "
var count: int;
procedure ULTIMATE.start()
modifies count;
{
  var r: int;
  count := 0;
  call r := even(4);
  assert r == 1;
}
procedure even(n: int) returns (r: int)
modifies count;
requires n >= 0;
ensures r == 0 || r == 1;
{
  count := count + 1;
  if (n == 0) { r := 1; } else { call r := odd(n - 1); }
}
procedure odd(n: int) returns (r: int)
modifies count;
requires n >= 0;
{
  if (n == 0) { r := 0; } else { call r := even(n - 1); }
}
";

#[test]
fn recursion_goes_through_contracts() {
    assert_snapshot!(show_default(RECURSIVE));
}

#[test]
fn recursion_is_inlined_down_to_a_depth() {
    let options = Options {
        recursion_depth: 1,
        ..Options::default()
    };
    assert_snapshot!(show(RECURSIVE, options));
}

#[test]
fn a_where_clause_of_the_callee_is_not_trusted() {
    assert_snapshot!(show_default(
        "
procedure even(n: int where n > 0) { assert n > 0; if (n > 1) { call even(n - 2); } }
procedure user() { call even(-1); }
"
    ));
}

#[test]
fn polymorphic_procedures() {
    assert_snapshot!(show_default(
        "
procedure main() { var x: int; call x := same(3); assert x == 3; }
procedure same<T>(a: T) returns (b: T) { b := a; assert a == b; }
"
    ));
}

#[test]
fn unknown_entries_are_refused() {
    let program = program("procedure main() {} procedure ext(); procedure other() {}");
    let terms = Terms::new();
    let refuse = |name: &str| {
        let options = Options {
            entries: vec![name.into()],
            ..Options::default()
        };
        Lowering::new(&terms, &program, options).err()
    };
    assert_eq!(
        refuse("Man"),
        Some(EntryError::Unknown {
            name: "Man".into(),
            suggestions: vec!["main".into()]
        })
    );
    assert_eq!(
        refuse("ext"),
        Some(EntryError::NoBody { name: "ext".into() })
    );
    assert_eq!(refuse("other"), None);
}

#[test]
fn each_body_once_with_a_place_to_return_to() {
    let options = Options {
        calls: CallPolicy::Once,
        entries: vec!["main".into()],
        ..Options::default()
    };
    assert_snapshot!(show(NESTED, options));
}

/// So many calls of a procedure that calls another one so often, and that one a third.
fn edges_with_calls(calls: CallPolicy, count: usize) -> usize {
    let body = |callee: &str| format!("call {callee}();\n").repeat(count);
    let text = format!(
        "var g: int;\nprocedure ULTIMATE.start() modifies g; {{ {} assert g > 0; }}
        procedure f() modifies g; {{ {} }}\nprocedure h() modifies g; {{ g := g + 1; g := g + g; g := g - 3; }}",
        body("f"),
        body("h")
    );
    let program = program(&text);
    let terms = Terms::new();
    let options = Options {
        calls,
        ..Options::default()
    };
    let units = super::units(&terms, &program, options);
    units.iter().map(|u| u.graph.graph.edge_count()).sum()
}

#[test]
fn bodies_that_are_there_once_grow_with_the_text_and_not_with_the_calls() {
    let once = |count| edges_with_calls(CallPolicy::Once, count);
    let (two, three, four) = (once(2), once(3), once(4));
    // A call brings the same wherever it is, without the body.
    assert_eq!(three - two, four - three);
    let inlined = |count| edges_with_calls(CallPolicy::Inline, count);
    assert!(inlined(4) - inlined(3) > inlined(3) - inlined(2));
}

#[test]
fn what_cannot_be_there_once_is_not() {
    // Recursive procedures go through contracts, or are inlined; what both types and callers make different is there twice.
    let options = Options {
        calls: CallPolicy::Once,
        recursion_depth: 1,
        ..Options::default()
    };
    assert_snapshot!(show(
        "
var g: int;
procedure ULTIMATE.start() modifies g; { var i: int, b: bool;
  call i := same(3); call b := same(true); call i := same(i); call down(2); assert i == 3 && b; }
procedure same<T>(a: T) returns (b: T) { b := a; assert a == b; }
procedure down(n: int) modifies g; { g := n; if (n > 0) { call down(n - 1); } }
",
        options
    ));
}
