//! Witnesses for C: written, and those of other tools checked.

use std::fs;

use super::INPUTS;
use crate::session::Session;

#[test]
fn witnesses_are_written_and_validated() {
    let safe = INPUTS.replace("b == 2", "b == 4");
    let session = Session::new(&[("bad.c", INPUTS), ("good.c", &safe)]);
    for (file, code) in [("bad.c", 1), ("good.c", 0)] {
        let witness = format!("{file}.yml");
        let (exit, told) = session.told(&["check", file, "--witness", &witness]);
        assert_eq!(exit, code, "{told}");
        let text = fs::read_to_string(session.path().join(&witness)).unwrap();
        let (exit, told) = session.told(&["validate", &witness, file]);
        assert_eq!(exit, 0, "{told}\n{text}");
        assert!(
            told.ends_with(&format!("ult: CONFIRMED {witness}\n")),
            "{told}"
        );
    }
    let bad = fs::read_to_string(session.path().join("bad.c.yml")).unwrap();
    assert!(bad.contains("value: \"\\\\result == 5\""), "{bad}");
    assert!(bad.contains("type: target"), "{bad}");
    // The values do not lead there, or the file is another one.
    for (from, to, code) in [
        ("\\\\result == 5", "\\\\result == 6", 1),
        (
            "input_file_hashes:\n        \"bad.c\": \"",
            "input_file_hashes:\n        \"bad.c\": \"0",
            3,
        ),
    ] {
        assert!(bad.contains(from));
        fs::write(session.path().join("wrong.yml"), bad.replace(from, to)).unwrap();
        let (exit, told) = session.told(&["validate", "wrong.yml", "bad.c"]);
        assert_eq!(exit, code, "{told}");
    }
}

#[test]
fn witnesses_name_places_as_they_are_written() {
    // What the parser does not know is written in other words for it; pointers are two numbers.
    let jumps = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  static void *t[] = {&&a, &&b};
  int m[2] = {};
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 1)
    return m[0];
  goto *t[x];
a: return 0;
b: if ((__VERIFIER_nondet_int() ?: 3) == 3) reach_error();
  return 0;
}
";
    let pointer = "extern void reach_error(void);
extern int *get(void);
int main(void) {
  int *p = get();
  if (p) reach_error();
  return 0;
}
";
    let session = Session::new(&[("jumps.c", jumps), ("pointer.c", pointer)]);
    for file in ["jumps.c", "pointer.c"] {
        let (exit, told) = session.told(&["check", file, "--witness", "w.yml"]);
        assert_eq!(exit, 1, "{told}");
        let text = fs::read_to_string(session.path().join("w.yml")).unwrap();
        let (exit, told) = session.told(&["validate", "w.yml", file]);
        assert_eq!(exit, 0, "{told}\n{text}");
        assert!(told.ends_with("ult: CONFIRMED w.yml\n"), "{told}");
    }
}

/// A foreign witness for a file.
fn witness(kind: &str, content: &str, hash: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    task:\n      input_files: [f.c]\n      \
         input_file_hashes: {{f.c: {hash}}}\n  content:\n{content}"
    )
}

/// The hash of `good.c` or `bad.c`, as `ult` writes it.
fn hash(session: &Session, file: &str) -> String {
    session.told(&[
        "check",
        file,
        "--witness",
        "hash.yml",
        "--engine",
        "kinduction",
    ]);
    let text = fs::read_to_string(session.path().join("hash.yml")).unwrap();
    let (_, rest) = text.split_once("input_file_hashes:").unwrap();
    rest.split('"').nth(3).unwrap().to_owned()
}

#[test]
fn foreign_witnesses_are_checked() {
    let safe = INPUTS.replace("b == 2", "b == 4");
    let session = Session::new(&[("bad.c", INPUTS), ("good.c", &safe)]);
    let [bad, good] = ["bad.c", "good.c"].map(|file| hash(&session, file));
    let invariant = |kind: &str, line: u32, column: u32, value: &str| {
        format!(
            "  - invariant: {{type: {kind}, location: {{line: {line}, column: {column}}}, value: \"{value}\", format: c_expression}}\n"
        )
    };
    let waypoint = |kind: &str, action: &str, line: u32, column: u32, value: &str| {
        format!(
            "    - waypoint: {{type: {kind}, action: {action}, location: {{line: {line}, column: {column}}}, constraint: {{value: \"{value}\"}}}}\n"
        )
    };
    let segment = |waypoints: &[String]| format!("  - segment:\n{}", waypoints.concat());
    let target = segment(&[waypoint("target", "follow", 15, 5, "")]);
    let enter = |value: &str| segment(&[waypoint("assumption", "follow", 14, 3, value)]);
    let taken = |value: &str| segment(&[waypoint("branching", "follow", 14, 3, value)]);
    let avoided = segment(&[
        waypoint("assumption", "avoid", 12, 5, "i == 1"),
        waypoint("target", "follow", 15, 5, ""),
    ]);
    for (file, kind, content, code) in [
        (
            "good.c",
            "invariant_set",
            invariant("loop_invariant", 7, 3, "0 <= n && n <= 2"),
            0,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("loop_invariant", 7, 3, "n != 2"),
            1,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("loop_invariant", 11, 3, "n == 2 && (i == 0 ==> b == 0)"),
            0,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("loop_invariant", 11, 3, "i < 2"),
            1,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("loop_invariant", 13, 3, "n > 0"),
            0,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("location_invariant", 14, 3, "n == 0"),
            0,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("location_invariant", 12, 5, "i < 2"),
            0,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("location_invariant", 12, 5, "i < 1"),
            1,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("loop_invariant", 8, 3, "1"),
            3,
        ),
        (
            "good.c",
            "invariant_set",
            invariant("loop_invariant", 7, 3, "1); reach_error("),
            3,
        ),
        ("good.c", "violation_sequence", target.clone(), 1),
        ("bad.c", "violation_sequence", target.clone(), 0),
        (
            "bad.c",
            "violation_sequence",
            format!("{}{target}", enter("b == 2")),
            0,
        ),
        (
            "bad.c",
            "violation_sequence",
            format!("{}{target}", enter("b == 3")),
            1,
        ),
        (
            "bad.c",
            "violation_sequence",
            format!("{}{target}", taken("true")),
            0,
        ),
        (
            "bad.c",
            "violation_sequence",
            format!("{}{target}", taken("false")),
            1,
        ),
        ("bad.c", "violation_sequence", avoided, 1),
        (
            "bad.c",
            "invariant_set",
            invariant("loop_invariant", 7, 3, "0 <= n"),
            1,
        ),
    ] {
        let hash = if file == "bad.c" { &bad } else { &good };
        fs::write(session.path().join("w.yml"), witness(kind, &content, hash)).unwrap();
        let (exit, told) = session.told(&["validate", "w.yml", file, "--engine", "kinduction"]);
        assert_eq!(exit, code, "{file}\n{content}\n{told}");
    }
}
