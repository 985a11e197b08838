//! `ult export`

use super::SAFE;
use crate::session::Session;

/// What is exported reads back, and means the same.
#[test]
fn exported_horn_clauses() {
    let recursive = "procedure down(n: int) returns (r: int) {
  if (n <= 0) { r := 0; } else { call r := down(n - 1); }
}
procedure main(n: int) {
  var r: int;
  call r := down(n);
  assert r == 0;
}
";
    let two = "procedure main(n: int) {
  var i: int;
  i := 0;
  while (i < n) { i := i + 2; }
  assert i mod 2 == 0;
  assert i != 8;
}
";
    let all = "const c: int;
function f(x: int): int;
axiom (forall x: int :: f(x) > c);
procedure main() { assert f(1) != c; }
";
    let session = Session::new(&[
        ("safe.bpl", SAFE),
        ("two.bpl", two),
        ("recursive.bpl", recursive),
        ("all.bpl", all),
    ]);
    let export = |args: &[&str]| {
        let output = session.run(&[&["export", "--format", "chc"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for (args, code) in [
        (&["safe.bpl"][..], 0),
        (&["two.bpl"], 1),
        (&["two.bpl", "--obligation", "1"], 0),
        (&["two.bpl", "--obligation", "2", "--blocks", "none"], 1),
    ] {
        let mut all = args.to_vec();
        all.extend(["-o", "out.smt2"]);
        assert!(export(&all).is_empty());
        let checked = session.run(&["check", "out.smt2", "--timeout", "30"]);
        assert_eq!(checked.status.code(), Some(code), "{args:?}");
    }
    // A procedure is a predicate about what goes in and what comes out, and its clause calls it.
    let text = export(&["recursive.bpl"]);
    assert!(
        text.contains("(declare-fun |p.down.returns| (Int Int) Bool)"),
        "{text}"
    );
    assert!(text.matches("(|p.down.returns|").count() >= 3, "{text}");
    assert_eq!(text.matches("false").count(), 1, "{text}");
    // What a predicate cannot say is refused, not left out.
    let output = session.run(&["export", "all.bpl"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("quantifiers"), "{complaint}");
}

#[test]
fn horn_clauses_about_floating_point_numbers_are_refused() {
    let text = "procedure main(x: float53e11) { assert x + x == x; }\n";
    let session = Session::new(&[("float.bpl", text)]);
    let output = session.run(&["export", "float.bpl"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("floating-point numbers"), "{said}");
    assert!(output.stdout.is_empty());
}
