//! Sessions on the command line: what is printed, and the exit code.
//!
//! Snapshots show the input and the output together. Times are replaced by `TIME`, versions by
//! `VERSION`.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::session::Session;

mod threads;
mod unread;

macro_rules! snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!({
            omit_expression => true,
            prepend_module_to_snapshot => false,
        }, { insta::assert_snapshot!($name, neutral(&$text)) });
    };
}

/// The text without what differs from run to run and from machine to machine.
fn neutral(text: &str) -> String {
    let version = concat!("ult ", env!("CARGO_PKG_VERSION"));
    let mut neutral = String::new();
    let mut counters = false;
    for line in text.lines() {
        // How much work it was changes with every engine.
        counters = match line.trim() {
            "\"statistics\": {" | "statistics:" => true,
            // Inner objects are indented further.
            other => counters && !(other.starts_with('u') || line.starts_with("  }")),
        };
        let counted = line
            .trim_end_matches(',')
            .ends_with(|c: char| c.is_ascii_digit());
        let is_time = line.contains("_time") || line.contains("longest");
        if counters && counted && !is_time {
            // A count, or, under a name that says so, a time.
            let kept =
                line.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.'));
            neutral += &format!("{kept}N\n");
            continue;
        }
        let line = line.replace(version, "ult VERSION");
        let line = match line.split_once("Z3 ") {
            Some((before, after)) if after.starts_with(|c: char| c.is_ascii_digit()) => {
                let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                format!("{before}Z3 VERSION{rest}")
            }
            _ => line,
        };
        let json = line.trim_start().split_once("\": ");
        let line = match (json, line.strip_suffix(" s")) {
            (Some(("\"version", _)), _) => "  \"version\": ...".to_owned(),
            (Some((name, value)), _)
                if name.ends_with("_time") || name == "\"seconds" || name == "\"longest_query" =>
            {
                let comma = if value.ends_with(',') { "," } else { "" };
                format!("{name}\": TIME{comma}")
            }
            (_, Some(before)) if before.ends_with(|c: char| c.is_ascii_digit()) => {
                let name = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
                format!("{name}TIME")
            }
            _ => line,
        };
        neutral += &line;
        neutral.push('\n');
    }
    neutral
}

const SAFE: &str = "\
procedure main(n: int)
  requires n >= 0;
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i == n;
}
";

const UNSAFE: &str = "\
var total: int;

procedure add(amount: int)
  modifies total;
{
  var twice: int;
  twice := 2 * amount;
  total := total + twice;
}

procedure main(n: int)
  requires n == 2;
  modifies total;
{
  var i: int;
  i, total := 0, 0;
  while (i < n) {
    if (*) {
      i := i + 1;
    } else {
      i := i + 2;
    }
    call add(i);
  }
  assert total < 6;
}
";

/// Nobody knows: the violation is a million rounds away.
const HARD: &str = "\
procedure easy(x: int)
{
  assert 2 * x == x + x;
}

procedure hard()
{
  var i, j: int;
  i, j := 0, 0;
  while (i < 1000000) {
    i := i + 1;
    if (*) { j := j + i; }
  }
  assert j < 499999000000;
}
";

const WEAK: &str = "\
procedure double(n: int) returns (r: int)
  ensures r >= n;
{
  if (n <= 0) { r := 0; } else { call r := double(n - 1); r := r + 2; }
}

procedure main(n: int)
{
  var r: int;
  call r := double(n);
  assert n > 20 ==> r > 40;
}
";

const WRONG: &str = "\
procedure main(x: int)
{
  var y: bool;
  y := x;
  assert z > 0;
}
";

const GRAPH: &str = "\
graph lights {
  var red, green: bool;
  init start;
  error both \"both lights are on\";
  start -> on: red' == true && green' == false;
  on -> on: red' == green && green' == red;
  on -> both: red && green;
}
";

const CLAUSES: &str = "\
(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(declare-fun behind (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 3)) (loop (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= x 3)) (behind (- y 1)))))
(assert (forall ((y Int)) (=> (and (behind y) (not (= y 5))) false)))
(check-sat)
";

#[test]
fn horn_clauses() {
    let session = Session::new(&[("clauses.smt2", CLAUSES)]);
    snapshot!(
        "horn_safe",
        session.story(&[
            "check",
            "clauses.smt2",
            "--engine",
            "slicing",
            "--show-invariants",
        ])
    );
    let session = Session::new(&[("clauses.smt2", &CLAUSES.replace("= y 5", "= y 6"))]);
    snapshot!(
        "horn_unsafe",
        session.story(&["check", "clauses.smt2", "--engine", "slicing"])
    );
    snapshot!("horn_graph", session.story(&["graph", "clauses.smt2"]));
    let wrong = CLAUSES
        .replace("(= x 0)", "(= z 0)")
        .replace("(behind y)", "(behind y y)");
    let session = Session::new(&[("clauses.txt", &wrong)]);
    snapshot!(
        "horn_rejected",
        session.story(&["check", "clauses.txt", "--language", "horn"])
    );
}

#[test]
fn safe() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    snapshot!("safe", session.story(&["check", "safe.bpl"]));
    snapshot!(
        "safe_with_invariants",
        session.story(&["check", "safe.bpl", "--show-invariants"])
    );
    snapshot!(
        "safe_quiet",
        session.story(&["check", "--quiet", "safe.bpl"])
    );
}

/// Each engine that refines tells its steps.
#[test]
fn trace() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    let traced = [
        "check",
        "safe.bpl",
        "--auxiliary",
        "none",
        "--trace-refinement",
    ];
    for engine in ["slicing", "impact", "predicate"] {
        let args = [&traced[..], &["--engine", engine]].concat();
        let name = format!("trace_{engine}");
        snapshot!(name, session.story(&args));
    }
    let args = [
        "check",
        "safe.bpl",
        "--engine",
        "kinduction",
        "--trace-refinement",
    ];
    snapshot!("trace_kinduction", session.story(&args));
    let session = Session::new(&[("unsafe.bpl", UNSAFE)]);
    let args = [
        "check",
        "unsafe.bpl",
        "--engine",
        "impact",
        "--trace-refinement",
    ];
    snapshot!("trace_unsafe", session.story(&args));

    let json = |more: &[&str]| -> Value {
        let args = [&["check", "unsafe.bpl", "--format", "json"], more].concat();
        serde_json::from_slice(&session.run(&args).stdout).unwrap()
    };
    let engine = &json(&["--trace-refinement"])["units"][1]["refinement"][0];
    assert_eq!(engine["engine"], "slicing");
    assert_eq!(engine["searches"][0]["steps"][0]["action"], "start");
    assert!(json(&[])["units"][1].get("refinement").is_none());
}

#[test]
fn r#unsafe() {
    let session = Session::new(&[("unsafe.bpl", UNSAFE)]);
    snapshot!("unsafe", session.story(&["check", "unsafe.bpl"]));
    snapshot!(
        "unsafe_json",
        session.story(&["check", "--format", "json", "unsafe.bpl"])
    );
}

#[test]
fn several_kinds_of_obligations() {
    let session = Session::new(&[(
        "kinds.bpl",
        "procedure root(x: int) returns (y: int);\n  requires x >= 0;\n\n\
         procedure main(x: int) returns (z: int)\n  ensures z > x;\n{\n  \
         call z := root(x);\n  while (z < 5)\n    invariant z < 5;\n  {\n    z := z + 1;\n  }\n  \
         assert {:msg \"never five\"} z != 5;\n}\n",
    )]);
    snapshot!("kinds", session.story(&["check", "kinds.bpl"]));
}

#[test]
fn rejected() {
    let session = Session::new(&[("wrong.bpl", WRONG)]);
    snapshot!("rejected", session.story(&["check", "wrong.bpl"]));
    snapshot!(
        "rejected_json",
        session.story(&["check", "--format", "json", "wrong.bpl"])
    );
}

#[test]
fn unknown() {
    let session = Session::new(&[("weak.bpl", WEAK)]);
    snapshot!(
        "unknown_contract",
        session.story(&["check", "--calls", "contract", "weak.bpl"])
    );
}

#[test]
fn unsupported() {
    let session = Session::new(&[(
        "unsupported.bpl",
        "procedure lemma(n: int);\n\nprocedure main(x: int)\n{\n  call forall lemma(*);\n  \
         assert x > 0;\n}\n",
    )]);
    snapshot!("unsupported", session.story(&["check", "unsupported.bpl"]));
}

#[test]
fn graphs() {
    let session = Session::new(&[("lights.ult", GRAPH)]);
    snapshot!(
        "graph_safe",
        session.story(&["check", "--show-invariants", "lights.ult"])
    );
}

#[test]
fn nothing_to_check() {
    let session = Session::new(&[("empty.bpl", "procedure main() {}\n"), ("blank.bpl", "")]);
    snapshot!(
        "nothing_to_check",
        session.story(&["check", "empty.bpl", "blank.bpl"])
    );
}

#[test]
fn contradictory_assumptions() {
    let session = Session::new(&[(
        "trivial.bpl",
        "procedure main(x: int)\n  requires x > 0;\n  requires x < 0;\n{\n  assert x == 5;\n}\n",
    )]);
    snapshot!("contradictory", session.story(&["check", "trivial.bpl"]));
}

#[test]
fn several_files_end_with_the_most_urgent_code() {
    let session = Session::new(&[
        ("safe.bpl", SAFE),
        ("unsafe.bpl", UNSAFE),
        ("wrong.bpl", WRONG),
    ]);
    let code = |files: &[&str]| {
        let args: Vec<&str> = ["check", "--quiet"].iter().chain(files).copied().collect();
        session.run(&args).status.code().unwrap()
    };
    assert_eq!(code(&["safe.bpl", "safe.bpl"]), 0);
    assert_eq!(code(&["unsafe.bpl", "safe.bpl"]), 1);
    assert_eq!(code(&["unsafe.bpl", "wrong.bpl", "safe.bpl"]), 3);
    snapshot!(
        "several_files",
        session.story(&["check", "--quiet", "safe.bpl", "unsafe.bpl", "wrong.bpl"])
    );
    let output = session.run(&["check", "--format", "json", "safe.bpl", "unsafe.bpl"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts: Vec<&str> = value
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["SAFE", "UNSAFE"]);
}

#[test]
fn standard_input() {
    let session = Session::new(&[]);
    for (language, text, verdict) in [("boogie", SAFE, "SAFE"), ("graph", GRAPH, "SAFE")] {
        let mut child = session
            .command(&["check", "-q", "--language", language, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.starts_with(&format!("ult: {verdict} <stdin>: ")),
            "{text}"
        );
    }
}

#[test]
fn wrong_command_lines() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    for args in [
        &["check"][..],
        &["check", "missing.bpl"],
        &["check", "."],
        &["check", "safe.bpl", "missing.bpl"],
        &["check", "--timeout", "0", "safe.bpl"],
        &["check", "--entry", "mian", "safe.bpl"],
        &["graph", "--entry", "mian", "safe.bpl"],
        &["graph", "-o", "missing/folder", "safe.bpl"],
        &["export", "--entry", "mian", "safe.bpl"],
        &["export", "--modular", "safe.bpl"],
        &["export", "--obligation", "0", "safe.bpl"],
        &["export", "--obligation", "99", "safe.bpl"],
        &["explain", "E9999"],
        &["frobnicate"],
    ] {
        let output = session.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    snapshot!("missing_file", session.story(&["check", "missing.bpl"]));
    snapshot!(
        "unknown_entry",
        session.story(&["check", "--entry", "mian", "safe.bpl"])
    );
}

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
fn version_and_help() {
    let session = Session::new(&[]);
    snapshot!("version", session.story(&["--version"]));
    snapshot!("help_check", session.story(&["check", "--help"]));
    snapshot!("help_export", session.story(&["export", "--help"]));
}

#[test]
fn everything_listed_can_be_explained() {
    let session = Session::new(&[]);
    let list = session.run(&["explain", "--list"]);
    let list = String::from_utf8(list.stdout).unwrap();
    let ids: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(ids.contains(&"E0101") && ids.contains(&"timeout"));
    for id in [ids[0], "E0101", "timeout", "W0401"] {
        let output = session.run(&["explain", id]);
        assert_eq!(output.status.code(), Some(0), "{id}");
        assert!(output.stdout.len() > 100, "{id}");
        let text = String::from_utf8(output.stdout).unwrap();
        let title = text.lines().next().unwrap();
        assert_eq!(text.matches(title).count(), 1, "{id}");
    }
}

#[test]
fn the_time_limit_is_kept_and_what_is_known_is_shown() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    let start = Instant::now();
    snapshot!(
        "timeout",
        session.story(&["check", "--timeout", "3", "hard.bpl"])
    );
    assert!(start.elapsed() < Duration::from_secs(30));
    let output = session.run(&["check", "--timeout", "0.2", "--format", "json", "hard.bpl"]);
    assert_eq!(output.status.code(), Some(4));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["verdict"], "UNKNOWN");
    assert_eq!(value["reason"]["code"], "timeout");
}

#[test]
fn the_memory_limit_is_kept() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    let output = session.run(&["check", "--memory", "1", "--timeout", "60", "hard.bpl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("ult: UNKNOWN(memory) hard.bpl"), "{text}");
}

/// Waits until the process has its handler for interrupts: before that, a signal might kill it, or
/// be lost where tests run with signals ignored.
fn wait_until_it_listens(child: &Child) {
    let path = format!("/proc/{}/status", child.id());
    for _ in 0..600 {
        let Ok(status) = fs::read_to_string(&path) else {
            break;
        };
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(0);
        // Signal 2 is SIGINT; the mask counts from 1.
        if caught & 0b10 != 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    // Not Linux: some time should do.
    std::thread::sleep(Duration::from_secs(2));
}

fn interrupt(child: &Child, signal: &str) {
    let done = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(done.success());
}

#[test]
fn an_interrupted_run_shows_what_it_knows() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    for signal in ["-INT", "-TERM"] {
        let child = session
            .command(&["check", "--timeout", "100", "hard.bpl"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_it_listens(&child);
        std::thread::sleep(Duration::from_secs(4));
        interrupt(&child, signal);
        let start = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(20));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("easy: SAFE, 1 obligation proved"), "{text}");
        let last = text.lines().last().unwrap();
        assert!(
            last.starts_with("ult: UNKNOWN(cancelled) hard.bpl:"),
            "{text}"
        );
        assert!(output.stderr.is_empty());
    }
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    let mut child = session
        .command(&["check", "--timeout", "100", "hard.bpl"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until_it_listens(&child);
    // The second one may come too late to be needed.
    interrupt(&child, "-INT");
    let _ = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn bytes_that_are_no_text() {
    let session = Session::new(&[]);
    fs::write(
        session.path().join("latin1.bpl"),
        b"// M\xfcller\nprocedure p() {}\n",
    )
    .unwrap();
    snapshot!("not_utf8", session.story(&["check", "latin1.bpl"]));
    let garbage: Vec<u8> = (0..100_000u32)
        .map(|i| (i.wrapping_mul(i) >> 3) as u8)
        .collect();
    fs::write(session.path().join("garbage.bpl"), garbage).unwrap();
    fs::write(session.path().join("nul.bpl"), [0u8; 1000]).unwrap();
    for file in ["garbage.bpl", "nul.bpl"] {
        let output = session.run(&["check", file]);
        assert_eq!(output.status.code(), Some(3), "{file}");
        assert!(output.stdout.len() < 1_000_000, "{file}");
        assert!(output.stderr.is_empty(), "{file}");
    }
}

#[test]
fn a_long_line() {
    let session = Session::new(&[]);
    let long = format!(
        "procedure p() {{ assert {}nothing; }}\n",
        " ".repeat(10_000_000)
    );
    fs::write(session.path().join("long.bpl"), long).unwrap();
    let output = session.run(&["check", "long.bpl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text.len() < 2000, "{} bytes", text.len());
    assert!(
        text.ends_with("ult: REJECTED long.bpl:1:10000024: 1 error\n"),
        "{text}"
    );
}

#[test]
fn deep_nesting_and_long_chains() {
    let session = Session::new(&[]);
    let sum = vec!["x"; 20_000].join(" + ");
    let deep = format!("{}x{}", "(".repeat(5000), ")".repeat(5000));
    for (file, expression, code) in [
        ("chain.bpl", format!("{sum} == 20000 * x"), 0),
        ("deep.bpl", format!("{deep} == x"), 0),
        ("unclosed.bpl", "(".repeat(200_000), 3),
    ] {
        let text = format!("procedure p(x: int) {{ assert {expression}; }}\n");
        fs::write(session.path().join(file), text).unwrap();
        let output = session.run(&["check", "--timeout", "100", file]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{file}: {text}");
    }
}

/// Everything but times is the same, byte for byte.
#[test]
fn the_same_run_prints_the_same() {
    let session = Session::new(&[
        ("safe.bpl", SAFE),
        ("unsafe.bpl", UNSAFE),
        ("weak.bpl", WEAK),
    ]);
    let print = || {
        let output = session.run(&[
            "check",
            "--format",
            "json",
            "--timeout",
            "100",
            "safe.bpl",
            "unsafe.bpl",
        ]);
        let mut value: Value = serde_json::from_slice(&output.stdout).unwrap();
        for file in value.as_array_mut().unwrap() {
            file["seconds"] = Value::Null;
            let statistics = file["statistics"].as_object_mut().unwrap();
            statistics.retain(|name, _| !name.ends_with("_time") && name != "longest_query");
        }
        value.to_string()
    };
    let first = print();
    for _ in 0..2 {
        assert_eq!(print(), first);
    }
}

#[test]
fn colours_only_when_wanted() {
    let session = Session::new(&[("safe.bpl", SAFE), ("wrong.bpl", WRONG)]);
    for file in ["safe.bpl", "wrong.bpl"] {
        let colored = |color| {
            let output = session.run(&["check", "--color", color, file]);
            output.stdout.contains(&0x1b)
        };
        assert!(!colored("auto"));
        assert!(!colored("never"));
        assert!(colored("always"));
    }
}

#[test]
fn statistics() {
    let session = Session::new(&[("empty.bpl", "procedure main() {}\n")]);
    snapshot!(
        "statistics",
        session.story(&["check", "--stats", "empty.bpl"])
    );
}

#[test]
fn a_second_solver_that_is_missing() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    snapshot!(
        "missing_solver",
        session.story(&["check", "--check-with", "no-such-solver", "safe.bpl"])
    );
    snapshot!(
        "missing_interpolating_solver",
        session.story(&[
            "check",
            "--interpolation",
            "external:no-such-solver",
            "safe.bpl"
        ])
    );
}

#[test]
fn pictures_of_graphs() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    snapshot!("graph_source", session.story(&["graph", "safe.bpl"]));
    snapshot!(
        "graph_reduced",
        session.story(&["graph", "--stage", "reduced", "safe.bpl"])
    );
    snapshot!(
        "graph_labelled",
        session.story(&["graph", "--stage", "labelled", "safe.bpl"])
    );
    for (format, start) in [("dot", "digraph"), ("svg", "<svg")] {
        for stage in ["source", "reduced", "labelled"] {
            let args = ["graph", "--stage", stage, "--format", format, "safe.bpl"];
            let output = session.run(&args);
            assert_eq!(output.status.code(), Some(0));
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.contains(start), "{stage} {format}: {text}");
        }
    }
    let broken = Session::new(&[("wrong.bpl", WRONG)]);
    let output = broken.run(&["graph", "wrong.bpl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
}

/// What `ult graph` prints is a program like any other, and means the same.
#[test]
fn printed_graphs_have_the_verdict_of_their_program() {
    let session = Session::new(&[
        ("safe.bpl", SAFE),
        ("unsafe.bpl", UNSAFE),
        ("lights.ult", GRAPH),
    ]);
    for (file, code) in [("safe.bpl", 0), ("unsafe.bpl", 1), ("lights.ult", 0)] {
        for stage in ["source", "reduced", "labelled"] {
            let output = session.run(&["graph", "--stage", stage, "-o", "out.ult", file]);
            assert_eq!(output.status.code(), Some(0));
            let output = session.run(&["check", "out.ult"]);
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(code), "{file}, {stage}: {text}");
        }
    }
}

#[test]
fn programs_get_their_usual_layout() {
    let messy = "// first\nprocedure p(){var x:int;x:=1;assert x==1;}// last\n";
    let tidy = "// first\nprocedure p() {\n  var x: int;\n  x := 1;\n  assert x == 1;\n} // last\n";
    let session = Session::new(&[
        ("a.bpl", messy),
        ("b.ult", "graph g{init a;}"),
        ("bad.bpl", "procedure p( {"),
        ("c.c", "int x;"),
        ("tidy.bpl", tidy),
    ]);
    let read = |name: &str| fs::read_to_string(session.path().join(name)).unwrap();
    snapshot!(
        "fmt_check",
        session.story(&["fmt", "--check", "a.bpl", "b.ult", "tidy.bpl"])
    );
    assert_eq!(read("a.bpl"), messy);
    snapshot!("fmt_rejected", session.story(&["fmt", "bad.bpl", "a.bpl"]));
    assert_eq!(read("bad.bpl"), "procedure p( {");
    assert_eq!(read("a.bpl"), tidy);
    let output = session.run(&["fmt", "b.ult", "a.bpl"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    assert_eq!(read("b.ult"), "graph g { init a; }\n");
    assert_eq!(
        session
            .run(&["fmt", "--check", "a.bpl", "b.ult"])
            .status
            .code(),
        Some(0)
    );
    assert_eq!(session.run(&["fmt", "c.c"]).status.code(), Some(2));
    assert_eq!(session.run(&["fmt", "none.bpl"]).status.code(), Some(2));

    // From stdin to stdout.
    let mut child = session
        .command(&["fmt", "--language", "graph"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(b"graph g{var x:int;init a;a->a:true;}")
        .unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "graph g {\n  var x: int;\n  init a;\n  a -> a: true;\n}\n"
    );
}

#[test]
fn the_doctor_tries_everything() {
    let session = Session::new(&[]);
    let output = session.run(&["doctor"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("\nAll is well.\n"), "{text}");
    // The rest depends on the machine.
    let (installation, rest) = text.split_once("\nSolver\n").unwrap();
    let (tried, editors) = rest.split_once("\nEditors\n").unwrap();
    snapshot!("doctor", tried);
    assert!(installation.contains("libz3."), "{installation}");
    for editor in ["Visual Studio Code", "Neovim", "Helix", "Emacs"] {
        assert!(editors.contains(editor), "{editors}");
    }
}

#[test]
fn the_doctor_says_what_to_do() {
    let session = Session::new(&[]);
    let mut command = session.command(&["doctor"]);
    let output = command.env("CC", "no-such-compiler").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("  FAIL  C with #include").count(), 2, "{text}");
    assert_eq!(text.matches("to do: install a C compiler").count(), 2);
    assert!(text.contains("  ok    C (.c): SAFE and UNSAFE"), "{text}");
    assert!(text.contains("\n2 of the checks failed"), "{text}");
}

#[test]
fn manual_pages() {
    let session = Session::new(&[]);
    let output = session.run(&["man", "--output", "pages/man1"]);
    assert_eq!(output.status.code(), Some(0));
    let folder = session.path().join("pages/man1");
    let help = session.run(&["help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .map_while(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"check") && commands.contains(&"man"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), commands.len() + 1);
    for command in commands {
        let page = fs::read_to_string(folder.join(format!("ult-{command}.1"))).unwrap();
        let printed = session.run(&["man", command]);
        assert_eq!(page, String::from_utf8(printed.stdout).unwrap());
        assert!(page.contains(&format!(".TH ult-{command} 1")), "{page}");
    }
    snapshot!("man", session.story(&["man", "explain"]));
    assert_eq!(session.run(&["man", "nothing"]).status.code(), Some(2));
    let file = session.path().join("pages/file");
    fs::write(&file, "").unwrap();
    let output = session.run(&["man", "--output", "pages/file/man1"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn completions_for_shells() {
    let session = Session::new(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = session.run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(script.contains("--show-invariants") || script.contains("show-invariants"));
    }
    assert_eq!(
        session.run(&["completions", "abacus"]).status.code(),
        Some(2)
    );
    // A real shell completes with it.
    let script = "source <(\"$ULT\" completions bash) && COMP_WORDS=(ult check --show) && COMP_CWORD=2 \
                  && _ult ult --show check && echo \"${COMPREPLY[*]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", script])
        .env("ULT", env!("CARGO_BIN_EXE_ult"))
        .output();
    let Ok(output) = output else {
        crate::tools::missing("bash", "its completion");
        return;
    };
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "--show-invariants"
    );
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

#[test]
fn a_run_against_axioms_proves_nothing() {
    let text = "function f(x: int): int;\n\
                axiom (forall x: int :: f(x) > 0);\n\
                procedure main() { assert f(3) > 0; }\n";
    let session = Session::new(&[("axiom.bpl", text)]);
    let output = session.run(&["run", "axiom.bpl", "--seed", "1"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(matches!(output.status.code(), Some(0 | 4)), "{said}");
}

#[test]
fn questions_are_logged_as_smt_lib_with_their_answers() {
    let text = "procedure p(x: int) { assert x * 2 == x + x; assert x > 0; }\n";
    let session = Session::new(&[("p.bpl", text)]);
    let output = session.run(&["check", "--log-queries", "questions", "p.bpl"]);
    assert_eq!(output.status.code(), Some(1));
    let folder = session.path().join("questions");
    let index = std::fs::read_to_string(folder.join("index.tsv")).unwrap();
    let mut lines = index.lines();
    assert_eq!(
        lines.next(),
        Some("question\tanswer\tmilliseconds\tbytes\tway")
    );
    let mut number = 0;
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let question = std::fs::read_to_string(folder.join(cells[0])).unwrap();
        let (answer, way) = (cells[1], cells[4]);
        assert!(question.starts_with(&format!("; answer: {answer}\n; way: {way}\n")));
        assert!(["", "session", "fresh", "spacer"].contains(&way), "{way}");
        assert!(question.contains("(set-logic ") && question.ends_with("(check-sat)\n"));
        number += 1;
    }
    assert!(number > 0);
    // What is there is not written over.
    let again = session.run(&["check", "--log-queries", "questions", "p.bpl"]);
    assert_eq!(again.status.code(), Some(2));
}
