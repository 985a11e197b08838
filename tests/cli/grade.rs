//! `ult grade`. The exercises of the course are tried in `tests/grade.rs`.

use std::fs;

use serde_json::Value;
use ult_cli::grade::fault::Fault;

use super::neutral;
use crate::session::Session;

const GIVEN: &str = "procedure divide(a: int, b: int) returns (q: int, r: int)
  requires a >= 0 && b > 0;
  ensures a == q * b + r && 0 <= r && r < b;
{
  q, r := 0, a;
  while (r >= b)
    invariant a == q * b + r;
  {
    q, r := q + 1, r - b;
  }
}
";

const EXERCISE: &str = r#"title = "Division"
task = "Add what is missing."
difficulty = 1
minutes = 10
given = "given.bpl"
solution = "ann.bpl"
options = ["--modular"]
change = ["invariants of divide"]
hints = ["What do you know of `r`?", "May it be zero?"]
"#;

/// The exercise, with what was handed in.
fn class(files: &[(&str, &str)]) -> Session {
    let mut all = vec![("exercise.toml", EXERCISE), ("given.bpl", GIVEN)];
    all.extend_from_slice(files);
    Session::new(&all)
}

/// The given file with these invariants.
fn with(invariants: &str) -> String {
    GIVEN.replace("    invariant a == q * b + r;\n", invariants)
}

fn timeless(story: &str) -> String {
    let mut pieces = story.split(" time=\"");
    let mut text = pieces.next().unwrap().to_owned();
    for piece in pieces {
        text += " time=\"TIME\"";
        text += piece.split_once('"').unwrap().1;
    }
    text
}

#[test]
fn a_class_in_all_forms() {
    let ann = with("    invariant a == q * b + r && 0 <= r;\n");
    let ben = with("    invariant a == q * b + r;\n    invariant r > 0;\n");
    let eve = with("    invariant a == q * b + r;\n    free invariant r >= 0;\n");
    let zoe = with("    invariant a == q * b + r\n");
    let session = class(&[
        ("ann.bpl", &ann),
        ("ben.bpl", &ben),
        ("eve.bpl", &eve),
        ("zoe.bpl", &zoe),
    ]);
    let all = ["grade", ".", "ann.bpl", "ben.bpl", "eve.bpl", "zoe.bpl"];
    let story = |more: &[&str]| session.story(&[&all[..], more].concat());
    snapshot!("grade_text", story(&["--hint", "1"]));
    snapshot!("grade_json", story(&["--format", "json"]));
    snapshot!("grade_junit", timeless(&story(&["--format", "junit"])));
    snapshot!("grade_gradescope", story(&["--format", "gradescope"]));
    snapshot!("grade_csv", story(&["--format", "csv"]));
    assert_eq!(session.told(&["grade", ".", "ann.bpl"]).0, 0);
    assert_eq!(session.told(&["grade", ".", "ben.bpl"]).0, 1);
    assert_eq!(session.told(&["grade", ".", "zoe.bpl"]).0, 3);
    // A folder stands for the files in it.
    let folder = session.path().join("class");
    fs::create_dir(&folder).unwrap();
    for name in ["ann.bpl", "ben.bpl"] {
        fs::copy(session.path().join(name), folder.join(name)).unwrap();
    }
    fs::write(folder.join(".DS_Store"), "\0").unwrap();
    let (code, told) = session.told(&["grade", ".", "class"]);
    assert_eq!(code, 1);
    assert!(told.contains("1 passed, 1 failed, 0 not decided"), "{told}");
    // The exercise itself: what is handed out must not pass, and the solution has to.
    assert_eq!(
        session.told(&["grade", "."]),
        (0, "Division: as the exercise says\n".into())
    );
    fs::write(session.path().join("given.bpl"), &ann).unwrap();
    let (code, told) = session.told(&["grade", "."]);
    assert_eq!(code, 1);
    assert!(told.contains("given.bpl: passes"), "{told}");
}

#[test]
fn the_json_is_as_its_schema_says() {
    let path = "src/cli/grade/schema.json";
    let text = fs::read(crate::root().join(path)).unwrap();
    let schema: Value = serde_json::from_slice(&text).unwrap();
    let reasons = &schema["$defs"]["objection"]["properties"]["reason"]["enum"];
    let known: Vec<&str> = Fault::ALL.iter().map(|fault| fault.code()).collect();
    assert_eq!(*reasons, serde_json::json!(known));
    let (schemas, index) = crate::schema::schema(path);
    let ann = with("    invariant a == q * b + r && 0 <= r;\n");
    let session = class(&[("ann.bpl", &ann), ("ben.bpl", GIVEN)]);
    for args in [
        &[
            "grade",
            ".",
            "ann.bpl",
            "ben.bpl",
            "missing.bpl",
            "--hint",
            "9",
        ][..],
        &["grade", ".", "ann.bpl", "--limit", "0.000001"],
    ] {
        let document = session.json(args);
        assert!(schemas.validate(&document, index).is_ok(), "{document:#}");
    }
}

/// Who gets no answer loses no points, and it is told.
#[test]
fn what_is_not_decided_is_told_as_such() {
    let session = class(&[("ann.bpl", GIVEN)]);
    let args = ["grade", ".", "ann.bpl", "--limit", "0.000001"];
    let document = session.json(&args);
    assert_eq!(
        document["submissions"][0]["result"], "undecided",
        "{document:#}"
    );
    assert_eq!(document["submissions"][0]["points"], Value::Null);
    assert_eq!(session.told(&args).0, 4);
    for (format, needle) in [
        ("csv", "ann,,undecided,"),
        ("gradescope", "not decided"),
        ("junit", "<error"),
    ] {
        let (_, told) = session.told(&[&args[..], &["--format", format]].concat());
        assert!(told.contains(needle), "{told}");
        assert!(!told.contains("\"score\""), "{told}");
    }
}

/// The reason for which a submission fails, and its line.
fn failed(session: &Session, file: &str) -> (String, Option<u64>) {
    let document = session.json(&["grade", ".", file]);
    let graded = &document["submissions"][0];
    assert_eq!(graded["result"], "failed", "{document:#}");
    let first = &graded["objections"][0];
    (
        first["reason"].as_str().unwrap().to_owned(),
        first["line"].as_u64(),
    )
}

#[test]
fn hostile_submissions() {
    let ann = with("    invariant a == q * b + r && 0 <= r;\n");
    let session = class(&[
        ("syntax.bpl", "procedure divide("),
        ("empty.bpl", ""),
        ("twice.bpl", &format!("{ann}{ann}")),
        ("formula.bpl", "=HYPERLINK"),
    ]);
    let write = |name: &str, bytes: &[u8]| fs::write(session.path().join(name), bytes).unwrap();
    write("binary.bpl", b"procedure \xff\xfe()");
    write("large.bpl", " ".repeat(10 << 20).as_bytes());
    write(
        "deep.bpl",
        format!(
            "procedure divide() {{ assert {}true; }}",
            "(".repeat(100_000)
        )
        .as_bytes(),
    );
    write("=cmd.bpl", b"?");
    fs::create_dir_all(session.path().join("folder/inside.bpl")).unwrap();
    for (file, reason) in [
        ("missing.bpl", "unreadable"),
        ("folder", "unreadable"),
        ("/dev/zero", "unreadable"),
        ("binary.bpl", "unreadable"),
        ("large.bpl", "unreadable"),
        ("syntax.bpl", "rejected"),
        ("deep.bpl", "rejected"),
        ("twice.bpl", "rejected"),
        ("empty.bpl", "declaration-dropped"),
    ] {
        assert_eq!(failed(&session, file).0, reason, "{file}");
    }
    let (_, csv) = session.told(&["grade", ".", "=cmd.bpl", "--format", "csv"]);
    assert!(csv.contains("\n'=cmd,0,failed,"), "{csv}");
}

/// Each of these is proved by `ult check`, and is no solution.
#[test]
fn tricks_in_boogie() {
    let clever = [
        (
            "requires a >= 0 && b > 0",
            "requires a >= 0 && b > 0 && a < 0",
            "contract-changed",
            2,
        ),
        (
            "  ensures a == q * b + r && 0 <= r && r < b;\n",
            "",
            "contract-changed",
            1,
        ),
        ("  ensures", "  free ensures", "assumption-added", 3),
        (
            "  ensures",
            "  free requires false;\n  ensures",
            "assumption-added",
            3,
        ),
        (
            "(a: int, b: int)",
            "(a: int, b: int where b < 0)",
            "assumption-added",
            1,
        ),
        (
            "  q, r := 0, a;",
            "  assume false;\n  q, r := 0, a;",
            "assumption-added",
            5,
        ),
        (
            "  q, r := 0, a;",
            "  q, r := 0, a;\n  return;",
            "program-changed",
            6,
        ),
        ("(r >= b)", "(true)", "program-changed", 6),
        (
            "procedure divide",
            "procedure {:verify false} divide",
            "attribute-added",
            1,
        ),
        (
            "procedure divide",
            "axiom false;\nprocedure divide",
            "axiom-added",
            1,
        ),
        ("a: int, b: int)", "a: bv8, b: int)", "rejected", 2),
        (
            "(q: int, r: int)",
            "(q: int, r: int, s: int)",
            "signature-changed",
            1,
        ),
    ];
    let session = class(&[]);
    for (old, new, reason, line) in clever {
        let text = with("    invariant a == q * b + r && 0 <= r;\n").replacen(old, new, 1);
        assert!(text.contains(new), "{old}");
        fs::write(session.path().join("eve.bpl"), text).unwrap();
        assert_eq!(
            failed(&session, "eve.bpl"),
            (reason.into(), Some(line)),
            "{new}"
        );
    }
    // What says nothing may be changed.
    let text = with("    invariant 0 <= r; // mine\n    invariant /* so */ (a == q * b + r);\n");
    fs::write(
        session.path().join("ann.bpl"),
        text.replace("  q, r", "\tq,r"),
    )
    .unwrap();
    assert_eq!(session.told(&["grade", ".", "ann.bpl"]).0, 0);
}

const GIVEN_C: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);
#include <assert.h>

static int half(int x) {
  return x;
}

int main(void) {
  int x = __VERIFIER_nondet_uchar();
  assert(half(x) <= x / 2 + 1);
  return 0;
}
";

#[test]
fn tricks_in_c() {
    let exercise = EXERCISE
        .replace(".bpl", ".c")
        .replace("[\"--modular\"]", "[]")
        .replace("invariants of divide", "body of half")
        + "[[hidden]]\nfile = \"hidden.c\"\nabout = \"body of half\"\nsays = \"half of 9 is 4\"\n";
    let hidden = "int main(void) {\n  assert(half(9) == 4);\n  return 0;\n}\n";
    let session = Session::new(&[
        ("exercise.toml", &exercise),
        ("given.c", GIVEN_C),
        ("ann.c", &GIVEN_C.replace("return x;", "return x / 2;")),
        ("hidden.c", hidden),
    ]);
    assert_eq!(
        session.told(&["grade", "."]),
        (0, "Division: as the exercise says\n".into())
    );
    for (old, new, reason, line) in [
        ("return x;", "return 0;", "hidden-check", Some(4)),
        (
            "return x;",
            "extern void exit(int);\n  exit(0);\n  return x;",
            "forbidden-name",
            Some(5),
        ),
        (
            "return x;",
            "__VERIFIER_assume(x == 0);\n  return x;",
            "forbidden-name",
            Some(5),
        ),
        (
            "return x;",
            "while (x > 1) {\n  }\n  return x;",
            "unreachable",
            Some(4),
        ),
        (
            "return x;",
            "while (1) {\n  }\n  return x;",
            "unreachable",
            Some(12),
        ),
        (
            "return x;",
            "#define assert(e)\n  return x;",
            "directive-added",
            Some(5),
        ),
        (
            "return x;",
            "%:define assert(e)\n  return x;",
            "directive-added",
            Some(5),
        ),
        (
            "return x;",
            "// \\\n  return x;",
            "directive-added",
            Some(5),
        ),
        (
            "return x;",
            "//@ assert 1;\n  return x / 2;",
            "directive-added",
            Some(5),
        ),
        (
            "extern",
            "#include \"/etc/passwd\"\nextern",
            "directive-added",
            Some(1),
        ),
        (
            "  assert(half(x) <= x / 2 + 1);\n",
            "",
            "assertion-dropped",
            Some(8),
        ),
        (
            "  assert(half(x)",
            "  if (0)\n  assert(half(x)",
            "program-changed",
            Some(10),
        ),
        (
            "static int half(int x)",
            "static char half(int x)",
            "signature-changed",
            Some(4),
        ),
        (
            "int main",
            "int other(void) { return 1; }\n\nint main",
            "declaration-added",
            Some(8),
        ),
    ] {
        let text = GIVEN_C.replacen(old, new, 1);
        assert!(text.contains(new) && text != GIVEN_C, "{old}");
        fs::write(session.path().join("eve.c"), text).unwrap();
        assert_eq!(failed(&session, "eve.c"), (reason.into(), line), "{new}");
    }
}

/// A function that is only called so is no assertion: there is nothing to check, and that is no success.
#[test]
fn nothing_to_check_is_no_success() {
    let given = GIVEN_C.replace("#include <assert.h>", "extern void assert(int);");
    let exercise = EXERCISE
        .replace(".bpl", ".c")
        .replace("[\"--modular\"]", "[]")
        .replace("invariants of divide", "definition of half");
    let session = Session::new(&[
        ("exercise.toml", &exercise),
        ("given.c", &given),
        ("ann.c", &given),
    ]);
    assert_eq!(failed(&session, "ann.c").0, "nothing-to-check");
}

#[test]
fn exercises_with_mistakes_are_told() {
    let session = class(&[("ann.bpl", GIVEN)]);
    for (old, new, words) in [
        (
            "invariants of divide",
            "everything",
            "nothing is called `everything`",
        ),
        ("[\"invariants of divide\"]", "[]", "there is nothing to do"),
        (
            "invariants of divide",
            "body of divide",
            "a hidden check has to say what it does",
        ),
        ("difficulty = 1", "difficulty = 4", "is 1, 2 or 3"),
        ("--modular", "--no-such-option", "--no-such-option"),
        ("change", "verdict = \"unsafe\"\nchange", "that it is one"),
        ("title", "titel", "unknown field"),
        ("given.bpl", "nothing.bpl", "nothing.bpl"),
        ("given.bpl", "given.btor2", "exercises are in Boogie"),
    ] {
        fs::write(
            session.path().join("exercise.toml"),
            EXERCISE.replacen(old, new, 1),
        )
        .unwrap();
        let (code, told) = session.told(&["grade", ".", "ann.bpl"]);
        assert_eq!(code, 2, "{told}");
        assert!(told.contains(words), "{told}");
    }
}
