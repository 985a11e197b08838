//! `ult check --cache`, and `ult cache`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SAFE: &str = "procedure p() {
  var x, y: int;
  x := 0; y := 0;
  while (x < 1000) { x := x + 1; y := y + 1; }
  assert x == y;
}
";
const GRAPH: &str = "graph g {
  var n: int;
  init start;
  error bad;
  start -> head: n' == 0;
  head -> head: n < 5 && n' == n + 1;
  head -> bad: n > 5;
}
";
const HORN: &str = "(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 9)) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (inv x) (<= x 9))))
(check-sat)
";
const C: &str = "extern void reach_error(void);
int main(void) {
  unsigned i = 0, j = 0;
  while (i < 10) { i++; j += 2; }
  if (j != 2 * i) reach_error();
  return 0;
}
";

fn ult(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ult"));
    command.current_dir(folder).args(args);
    command.output().expect("the program starts")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A folder with programs in all languages.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("a.bpl", SAFE),
        ("b.ult", GRAPH),
        ("c.smt2", HORN),
        ("d.c", C),
    ] {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

/// The files in the cache.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let list = |path: &Path| -> Vec<PathBuf> {
        let found = fs::read_dir(path).into_iter().flatten().flatten();
        found.map(|entry| entry.path()).collect()
    };
    let parts = list(&folder.join("kept"));
    parts
        .iter()
        .filter(|path| path.is_dir())
        .flat_map(|path| list(path))
        .collect()
}

#[test]
fn a_second_run_says_what_it_had_from_the_first() {
    let folder = folder();
    let programs = ["a.bpl", "b.ult", "c.smt2", "d.c"];
    for program in programs {
        let check = |more: &[&str]| {
            let mut args = vec!["check", "--cache", "kept", program];
            args.extend(["--property", "unreach-call"]);
            args.extend(more);
            ult(folder.path(), &args)
        };
        let (first, second) = (check(&[]), check(&["--stats"]));
        assert_eq!(first.status.code(), Some(0), "{program}: {}", out(&first));
        assert_eq!(second.status.code(), Some(0), "{program}: {}", out(&second));
        assert!(!out(&first).contains("kept evidence"), "{}", out(&first));
        assert!(
            out(&second).contains(" (kept evidence, checked again)"),
            "{}",
            out(&second)
        );
        assert!(
            out(&second).contains("decided by               kept 1\n"),
            "{}",
            out(&second)
        );
        let json: serde_json::Value =
            serde_json::from_str(&out(&check(&["--format", "json"]))).expect("JSON");
        let unit = &json["units"][0]["evidence"];
        assert_eq!(
            (&unit["reused"], &unit["found"]),
            (&1.into(), &0.into()),
            "{json:#}"
        );
        assert_eq!(json["statistics"]["reused"], 1);
    }
    let shown = out(&ult(folder.path(), &["cache", "kept"]));
    assert!(shown.starts_with("kept: 4 entries, "), "{shown}");
    let shown = out(&ult(folder.path(), &["cache", "kept", "--shrink", "0"]));
    assert_eq!(shown, "kept: 0 entries, 0.0 MB\n");
    assert_eq!(
        ult(folder.path(), &["cache", "nowhere"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_file_that_somebody_was_at_is_told_and_replaced() {
    let folder = folder();
    let check = || ult(folder.path(), &["check", "--cache", "kept", "a.bpl"]);
    check();
    let files = entries(folder.path());
    let [file] = &files[..] else {
        panic!("one file")
    };
    let whole = fs::read(file).expect("a file");
    let mut changed = whole.clone();
    changed[whole.len() - 3] ^= 1;
    for (content, why) in [
        (&changed, "it is not as it was written"),
        (
            &whole[..whole.len() / 2].to_vec(),
            "it is not as it was written",
        ),
        (&Vec::new(), "its beginning is damaged"),
    ] {
        fs::write(file, content).expect("written");
        let output = check();
        assert_eq!(output.status.code(), Some(0));
        let text = format!(
            "{}{}",
            out(&output),
            String::from_utf8_lossy(&output.stderr)
        );
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            text.contains("W0404") && text.contains("what was kept about `p` is dropped"),
            "{text}"
        );
        assert!(text.contains(why), "{text}");
        assert!(out(&check()).contains("(kept evidence, checked again)"));
    }
}

#[test]
fn where_nothing_can_be_kept_there_is_a_warning() {
    let folder = folder();
    fs::write(folder.path().join("taken"), "mine").expect("written");
    let output = ult(
        folder.path(),
        &["check", "--cache", "taken", "a.bpl", "b.ult"],
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(out(&output).matches("W0405").count(), 2, "{}", out(&output));
    assert_eq!(
        fs::read_to_string(folder.path().join("taken")).expect("there"),
        "mine"
    );
    let output = ult(folder.path(), &["check", "--cache-size", "3", "a.bpl"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn several_programs_may_use_one_folder_at_a_time() {
    let folder = folder();
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ult"));
        command.current_dir(folder.path());
        command.args([
            "check", "--quiet", "--cache", "kept", "a.bpl", "b.ult", "c.smt2",
        ]);
        command
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts")
    };
    let all: Vec<_> = (0..4).map(|_| start()).collect();
    for child in all {
        assert_eq!(
            child.wait_with_output().expect("it ends").status.code(),
            Some(0)
        );
    }
    assert_eq!(entries(folder.path()).len(), 3);
    let again = ult(
        folder.path(),
        &["check", "--cache", "kept", "a.bpl", "b.ult", "c.smt2"],
    );
    assert_eq!(
        out(&again)
            .matches("(kept evidence, checked again)")
            .count(),
        3,
        "{}",
        out(&again)
    );
}
