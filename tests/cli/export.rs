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

/// Names that are words of SV-LIB, maps with two indices, datatypes, division by zero, functions and axioms.
const WORDS: &str = "\
type T;
datatype Shape { Circle(radius: int), Box(w: int, h: int) }
const c: T;
const and: int;
function f(x: int): int;
axiom f(3) > 3;
var g: [int, int]int;
var bvadd: bv8;
procedure add(x: int) returns (y: int) modifies g;
{
  y := x + 1;
  g[x, y] := y;
}
procedure main(n: int, s: Shape) modifies g, bvadd;
{
  var i, let, z, at: int;
  i := 0;
  let := 0;
  while (i < n) {
    call i := add(i);
    let := let + 2;
  }
  assert n >= 0 ==> let == 2 * i;
  assert n > 3 ==> let > 7;
  z := 7 div at;
  if (at == 0) { assert z == 7 div 0; }
  assert s is Circle ==> s->radius == s->radius + and - and;
  assert n == 3 ==> f(n) > n;
  havoc bvadd;
  assert bvadd != 7bv8;
}
";

/// The verdicts on the obligations of a file, in their order.
fn verdicts(session: &Session, file: &str) -> Vec<String> {
    let output = session.run(&["check", file, "--format", "json", "--timeout", "60"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let units = report["units"]
        .as_array()
        .unwrap_or_else(|| panic!("{report}"));
    let all = units
        .iter()
        .flat_map(|unit| unit["obligations"].as_array().unwrap());
    all.map(|one| one["verdict"].to_string()).collect()
}

#[test]
fn programs_in_sv_lib_have_the_verdicts_of_what_they_are_made_of() {
    let session = Session::new(&[("words.bpl", WORDS)]);
    let export = |from: &str, to: &str| {
        let output = session.run(&["export", "--format", "sv-lib", from, "-o", to]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    };
    export("words.bpl", "words.svlib");
    let own = verdicts(&session, "words.bpl");
    assert_eq!(own.len(), 6, "{own:?}");
    assert_eq!(verdicts(&session, "words.svlib"), own);
    // And back, and once more.
    let graph = session.run(&["graph", "words.svlib"]);
    std::fs::write(session.path().join("words.ult"), &graph.stdout).unwrap();
    assert_eq!(verdicts(&session, "words.ult"), own);
    export("words.ult", "again.svlib");
    assert_eq!(verdicts(&session, "again.svlib"), own);
    // One obligation alone.
    let output = session.run(&[
        "export",
        "--format",
        "sv-lib",
        "words.bpl",
        "--obligation",
        "6",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches(":check-true").count(), 1, "{text}");
}

#[test]
fn what_sv_lib_has_no_words_for_is_refused_with_its_place() {
    for (text, words) in [
        (
            "procedure main()\n{\n  var m: [int]int;\n  m := (lambda i: int :: i + 1);\n  assert m[1] == 2;\n}\n",
            "line 4: there is no SV-LIB for a map that is given by an expression (`lambda`)",
        ),
        (
            "procedure main(b: bv0) { assert b == b; }\n",
            "line 1: a variable of the type `bv0` cannot be expressed",
        ),
        (
            "procedure f(n: int) returns (r: int)\n{\n  if (n > 0) { call r := f(n - 1); }\n}\nprocedure main()\n{\n  var r: int;\n  call r := f(3);\n  assert r == 0;\n}\n",
            "calls of `f` are known by its contract only",
        ),
        ("procedure main() { }\n", "there is no obligation"),
    ] {
        let session = Session::new(&[("p.bpl", text)]);
        let output = session.run(&["export", "--format", "sv-lib", "p.bpl"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
        assert!(output.stdout.is_empty());
    }
}
