//! `ult infer`

use std::fs;

use super::neutral;
use crate::session::Session;

const LOOPS: &str = "procedure sum(n: int) returns (s: int)
  requires n >= 0;
  ensures 2 * s == n * (n + 1);
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n) // the only one
  {
    i := i + 1;
    s := s + i;
  }
}

procedure labels(n: int)
  requires n >= 0;
{
  var x, y: int;
  x, y := n, 0;
head:
  if (x > 0) {
    x, y := x - 1, y + 2;
    goto head;
  }
  assert y == 2 * n;
}
";

/// The program that is printed is proved in the modular reading, and needs all that was added.
#[test]
fn invariants_are_written_to_loops() {
    let session = Session::new(&[("loops.bpl", LOOPS)]);
    snapshot!(
        "infer",
        session.story(&["infer", "loops.bpl", "--timeout", "60"])
    );
    let output = session.run(&["infer", "loops.bpl", "-o", "made.bpl"]);
    assert_eq!(output.status.code(), Some(0));
    let made = fs::read_to_string(session.path().join("made.bpl")).unwrap();
    let is_safe = |text: &str| {
        fs::write(session.path().join("other.bpl"), text).unwrap();
        let args = ["check", "--modular", "other.bpl", "--timeout", "30"];
        session.run(&args).status.code() == Some(0)
    };
    assert!(is_safe(&made));
    assert!(!is_safe(LOOPS));
    let added: Vec<&str> = made.lines().filter(|line| !LOOPS.contains(line)).collect();
    assert!(added.len() >= 3, "{made}");
    for line in added {
        assert!(!is_safe(&made.replace(line, "")), "without `{line}`");
    }
    // There is nothing left to add.
    let again = session.run(&["infer", "made.bpl"]);
    assert_eq!(String::from_utf8_lossy(&again.stdout), made);
}

#[test]
fn one_loop_gets_invariants() {
    let session = Session::new(&[("loops.bpl", LOOPS)]);
    let args = ["infer", "loops.bpl", "--line", "9", "--format", "json"];
    let output = session.run(&args);
    assert_eq!(output.status.code(), Some(0));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["outcome"], "proved");
    let added = told["added"].as_array().unwrap();
    assert!(!added.is_empty());
    assert!(added.iter().all(|added| added["line"] == 8), "{told}");
    assert!(!told["text"].as_str().unwrap().contains("assert i"));
}

/// What is printed is never more than what was proved.
#[test]
#[ignore = "takes long"]
fn what_is_not_proved_is_not_added() {
    let violated = "procedure p(n: int) {
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; }
  assert i != 5;
}
";
    let open = "procedure p(n: int, a: int, b: int, c: int)
  requires n >= 0 && a > 0 && b > 0 && c > 0;
{
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; }
  assert i == n;
  assert a * a * a + b * b * b != c * c * c;
}
";
    let operators = "function {:bvbuiltin \"bvand\"} and8(bv8, bv8): bv8;
function {:bvbuiltin \"bvadd\"} add8(bv8, bv8): bv8;
procedure p() {
  var x: bv8;
  x := 1bv8;
  while (*) { x := add8(x, 2bv8); }
  assert and8(x, 1bv8) == 1bv8;
}
";
    let session = Session::new(&[
        ("violated.bpl", violated),
        ("open.bpl", open),
        ("operators.bpl", operators),
        ("nothing.bpl", "procedure p() { }\n"),
        ("mistake.bpl", "procedure p() { assert x; }\n"),
    ]);
    // Nobody proves the last assertion in this time.
    for (file, code, text) in [
        ("violated.bpl", 1, Some(violated)),
        ("open.bpl", 4, None),
        ("operators.bpl", 0, None),
        ("nothing.bpl", 6, Some("procedure p() { }\n")),
        ("mistake.bpl", 3, Some("")),
    ] {
        let output = session.run(&["infer", file, "--timeout", "10"]);
        assert_eq!(output.status.code(), Some(code), "{file}: {output:?}");
        let made = String::from_utf8(output.stdout).unwrap();
        if let Some(text) = text {
            assert_eq!(made, text, "{file}");
        }
    }
}

/// What a caller needs to know of others is written to their contracts.
#[test]
fn postconditions_are_written_to_contracts() {
    let calls = "var count: int;

procedure twice(i: int) returns (r: int)
  modifies count;
{
  r := 2 * i;
  count := count + 1;
}

procedure p(n: int)
  requires n >= 0;
  modifies count;
{
  var i, r: int;
  count := 0;
  i := 0;
  while (i < n) {
    call r := twice(i);
    assert r == i + i;
    i := i + 1;
  }
  assert count == n;
}
";
    let session = Session::new(&[("calls.bpl", calls)]);
    snapshot!("infer_contracts", session.story(&["infer", "calls.bpl"]));
    let output = session.run(&["infer", "calls.bpl", "-o", "made.bpl"]);
    assert_eq!(output.status.code(), Some(0));
    let checked = session.run(&["check", "--modular", "made.bpl"]);
    assert_eq!(checked.status.code(), Some(0));
}
