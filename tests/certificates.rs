//! Certificates: what `ult check --certificate` writes is checked without a solver by `ult certify`, and by a second checker. What is
//! changed proves nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::root::root;

/// A loop whose proof has a bound, an equation and a remainder in it.
const EVEN: &str = "procedure even(n: int)
{
  var i, s: int;
  assume 0 <= n;
  i, s := 0, 0;
  while (i < n) {
    i, s := i + 1, s + 2;
  }
  assert s == 2 * n;
  assert s mod 2 == 0;
}
";

/// One about a map and a function.
const MAP: &str = "function f(x: int): int;
procedure map(i: int, j: int)
{
  var m: [int]int;
  m[i] := f(i);
  m[j] := 7;
  assume i != j;
  assert m[i] == f(i) && m[j] == 7;
}
";

/// Bit-vectors.
const BITS: &str = "function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8): bv8;
function {:bvbuiltin \"bvmul\"} mul(a: bv8, b: bv8): bv8;
function {:bvbuiltin \"bvult\"} less(a: bv8, b: bv8): bool;
function {:bvbuiltin \"bvurem\"} rest(a: bv8, b: bv8): bv8;
function {:bvbuiltin \"bvand\"} and(a: bv8, b: bv8): bv8;
procedure bits(n: bv8, m: [bv8]bv8)
{
  var i, s: bv8;
  i, s := 0bv8, 0bv8;
  while (less(i, n))
    invariant s == mul(3bv8, i);
  {
    i, s := add(i, 1bv8), add(s, 3bv8);
  }
  assert s == mul(3bv8, i);
  assert rest(s, 16bv8) == and(s, 15bv8);
  assert i == add(n, n) ==> m[i] == m[mul(n, 2bv8)];
}
";

/// Quantified formulas, and maps that are equal.
const ALL: &str = "procedure all(n: int, b: [int]int)
{
  var i: int;
  var a: [int]int;
  assume 0 <= n;
  i := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant (forall j: int :: 0 <= j && j < i ==> a[j] == 2 * j);
  {
    a[i] := 2 * i;
    i := i + 1;
  }
  assert (forall j: int :: 0 <= j && j < n ==> a[j] == 2 * j);
  assert (exists j: int :: a[j] == a[n]);
  assume (forall j: int :: a[j] == b[j]);
  assert a == b;
}
";

const PROGRAMS: [(&str, &str); 4] = [
    ("even.bpl", EVEN),
    ("map.bpl", MAP),
    ("bits.bpl", BITS),
    ("all.bpl", ALL),
];

/// `ult` with these arguments in this folder, where no Z3 can be loaded unless that is said.
fn ult(folder: &Path, has_z3: bool, words: &[&str]) -> Output {
    let mut ult = Command::new(env!("CARGO_BIN_EXE_ult"));
    ult.current_dir(folder).args(words);
    if !has_z3 {
        ult.env("ULT_Z3_LIBRARY", folder.join("no-such-library.so"));
    }
    ult.output().expect("ult starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The certificate of a program.
fn certificate(folder: &Path, name: &str, text: &str) -> String {
    fs::write(folder.join(name), text).expect("a file");
    // One engine finds the same each time.
    let words = [
        "check",
        "--engine",
        "slicing",
        "--certificate",
        "made.ultproof",
        name,
    ];
    let output = ult(folder, true, &words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    fs::read_to_string(folder.join("made.ultproof")).expect("a certificate")
}

/// What `ult certify` says of a certificate, without Z3.
fn certify(folder: &Path, certificate: &str, name: &str) -> (Option<i32>, String) {
    fs::write(folder.join("changed.ultproof"), certificate).expect("a file");
    let output = ult(folder, false, &["certify", "changed.ultproof", name]);
    (output.status.code(), said(&output))
}

#[test]
fn certificates_are_checked_without_a_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for (name, text) in PROGRAMS {
        let made = certificate(folder, name, text);
        let (code, said) = certify(folder, &made, name);
        assert_eq!(code, Some(0), "{said}");
        let told = said.lines().find(|line| line.starts_with("certified: "));
        let told = told.expect("how many questions have proofs");
        let counts: Vec<&str> = told.split(' ').collect();
        assert!(counts[1] == counts[3] && counts[1] != "0", "{told}");
        // The same program with a solver that cannot be loaded.
        let output = ult(folder, false, &["check", name]);
        assert_eq!(output.status.code(), Some(5), "{}", self::said(&output));
    }
}

#[test]
fn what_is_changed_proves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let made = certificate(folder, "even.bpl", EVEN);
    let lines: Vec<&str> = made.lines().collect();
    let without = |left_out: usize| -> String {
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != left_out);
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    // Each line of a question or of a proof matters.
    let first = lines.iter().position(|line| *line == "question");
    let first = first.expect("a question");
    let step = (lines.len() - first) / 12 + 1;
    for left_out in (first..lines.len()).step_by(step) {
        let (code, said) = certify(folder, &without(left_out), "even.bpl");
        assert_ne!(code, Some(0), "without `{}`: {said}", lines[left_out]);
    }
    // A weaker claim, a wrong number, another program, half of it, and nothing.
    for (from, to) in [("farkas", "equal"), (" : ", " : 0 "), (" <= ", " < ")] {
        let (code, said) = certify(folder, &made.replace(from, to), "even.bpl");
        assert_ne!(code, Some(0), "{from} {to}: {said}");
    }
    fs::write(folder.join("other.bpl"), EVEN.replace("s + 2", "s + 4")).expect("a file");
    assert_ne!(certify(folder, &made, "other.bpl").0, Some(0));
    assert_ne!(
        certify(folder, &made[..made.len() / 2], "even.bpl").0,
        Some(0)
    );
    assert_eq!(certify(folder, "", "even.bpl").0, Some(2));
    // The certificate of a violated program holds the counterexample, which is executed.
    fs::write(
        folder.join("wrong.bpl"),
        EVEN.replace("2 * n;", "2 * n + 1;"),
    )
    .expect("a file");
    let words = ["check", "--certificate", "made.ultproof", "wrong.bpl"];
    assert_eq!(ult(folder, true, &words).status.code(), Some(1));
    let made = fs::read_to_string(folder.join("made.ultproof")).expect("a certificate");
    assert_eq!(certify(folder, &made, "wrong.bpl").0, Some(1));
    assert_ne!(certify(folder, &made, "even.bpl").0, Some(1));
}

#[test]
fn a_second_checker_agrees() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let checker = root().join("src/proof/second_checker.py");
    let python = |path: PathBuf| {
        let mut python = Command::new("python3");
        let output = python.arg(&checker).arg(path).output();
        output.expect("Python, which README.md asks for")
    };
    for (name, text) in PROGRAMS {
        let made = certificate(folder, name, text);
        let output = python(folder.join("made.ultproof"));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        // One step less.
        let lines: Vec<&str> = made.lines().collect();
        let last = lines.iter().rposition(|line| line.starts_with("rup"));
        let last = last.unwrap_or(lines.len() - 2);
        fs::write(
            folder.join("less.ultproof"),
            [&lines[..last], &lines[last + 1..]].concat().join("\n"),
        )
        .expect("a file");
        let output = python(folder.join("less.ultproof"));
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    }
    let mut python = Command::new("python3");
    let table = root().join("src/proof/examples.txt");
    let output = python.arg(&checker).arg("--self-test").arg(table).output();
    assert!(output.is_ok_and(|output| output.status.success()));
}

#[test]
fn a_certificate_is_for_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for (name, text) in [("even.bpl", EVEN), ("map.bpl", MAP)] {
        fs::write(folder.join(name), text).expect("a file");
    }
    let several = ["--certificate", "made.ultproof", "even.bpl", "map.bpl"];
    for words in [&["check"][..], &["check", "--jobs", "2"], &["watch"]] {
        let output = ult(folder, true, &[words, &several].concat());
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(!folder.join("made.ultproof").exists());
    }
}
