//! `ult check`: reports, and the exit code.

use serde_json::Value;

use super::{CLAUSES, GRAPH, SAFE, UNSAFE, WEAK, WRONG, neutral};
use crate::schema::against_schema;
use crate::session::Session;

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

#[test]
fn what_a_proof_says_beyond_its_invariants() {
    let long = "procedure long()\n{\n  var i, s: int;\n  i := 0;\n  s := 1;\n  while (i < 20000) {\n    \
                s := (s * 5 + 3) mod 17;\n    i := i + 1;\n  }\n  assert s != 16;\n}\n";
    let turns = "procedure turns()\n{\n  var a, b, c: bool;\n  a, b, c := true, false, false;\n  while (*) {\n    \
                 a, b, c := b, c, a || b;\n    assert a || b || c;\n  }\n}\n";
    let session = Session::new(&[("long.bpl", long), ("turns.bpl", turns)]);
    let told = |arguments: &[&str]| {
        let report = session.json(arguments);
        against_schema(&report).unwrap();
        report["units"][0]["arguments"].clone()
    };
    assert_eq!(
        told(&["check", "--timeout", "60", "long.bpl"]),
        serde_json::json!([{ "kind": "explored" }])
    );
    let by_induction = [
        "check",
        "--engine",
        "kinduction",
        "--timeout",
        "60",
        "turns.bpl",
    ];
    assert_eq!(told(&by_induction)[0]["kind"], "induction");
    let shown = ["check", "--show-invariants", "--timeout", "60", "long.bpl"];
    let text = session.story(&shown);
    let words = "all traces were followed to their end: that needs no invariant";
    assert!(text.contains(words), "{text}");
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
fn nothing_to_check() {
    let session = Session::new(&[("empty.bpl", "procedure main() {}\n"), ("blank.bpl", "")]);
    snapshot!(
        "nothing_to_check",
        session.story(&["check", "empty.bpl", "blank.bpl"])
    );
}

#[test]
fn places_in_c_are_the_users() {
    let session = Session::new(&[
        (
            "macro.c",
            "#include <assert.h>\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n\
             int twice(int x) { return 2 * x; }\nint main(void) {\n  \
             int m = MAX(3, twice(2));\n  assert(m == 4); assert(twice(2) == 5);\n  return m;\n}\n",
        ),
        (
            "library.c",
            "#include <string.h>\nint main(void) {\n  char s[3];\n  strcpy(s, \"abc\");\n  return 0;\n}\n",
        ),
    ]);
    snapshot!(
        "c_places",
        session.story(&["check", "--confirm", "never", "macro.c", "library.c"])
    );
    let report = session.json(&["check", "--confirm", "never", "macro.c"]);
    let obligations = report["units"][0]["obligations"].as_array().unwrap();
    let violated = obligations
        .iter()
        .find(|o| o["verdict"] == "UNSAFE")
        .unwrap();
    assert_eq!(
        violated["place"],
        serde_json::json!({ "line": 6, "column": 19, "end_line": 6, "end_column": 40 })
    );
}

#[test]
fn nothing_to_check_is_an_outcome_of_its_own() {
    let session = Session::new(&[("empty.bpl", "procedure main() {}\n"), ("safe.bpl", SAFE)]);
    assert_eq!(session.json(&["check", "empty.bpl"])["verdict"], "NOTHING");
    let report = session.json(&["check", "empty.bpl", "safe.bpl"]);
    assert_eq!(report[0]["verdict"], "NOTHING");
    // Where something was proved elsewhere, all is well.
    let both = session.told(&["check", "--quiet", "empty.bpl", "safe.bpl"]);
    assert_eq!(both.0, 0, "{}", both.1);
    let (code, log) = session.told(&["check", "--format", "sarif", "empty.bpl"]);
    let log: Value = serde_json::from_str(&log).unwrap();
    assert_eq!(code, 6);
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "W0403");
    let (code, xml) = session.told(&["check", "--format", "junit", "empty.bpl"]);
    assert_eq!(code, 6);
    assert!(
        xml.contains("<skipped message=\"nothing to check\"/>"),
        "{xml}"
    );
}

#[test]
fn a_c_program_without_assertions_is_checked_for_what_is_undefined() {
    let session = Session::new(&[
        (
            "bad.c",
            "int main(void) {\n  int a[2];\n  int i = 2;\n  a[i] = 1;\n  return 0;\n}\n",
        ),
        (
            "good.c",
            "int main(void) {\n  int a[2];\n  int i = 1;\n  a[i] = 1;\n  return 0;\n}\n",
        ),
        ("none.c", "int main(void) { return 0; }\n"),
    ]);
    snapshot!(
        "c_memory_instead",
        session.story(&["check", "--confirm", "never", "bad.c", "good.c", "none.c"])
    );
    // Who asks for a property gets an answer.
    let asked = session.told(&["check", "--quiet", "--property", "unreach-call", "none.c"]);
    assert_eq!(
        asked,
        (0, "ult: SAFE none.c: nothing to check\n".to_owned())
    );
    let report = session.json(&["check", "none.c"]);
    assert_eq!(report["verdict"], "SAFE");
    assert!(
        report["checked"]
            .as_str()
            .unwrap()
            .starts_with("that no behavior is undefined")
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
fn statistics() {
    let session = Session::new(&[("empty.bpl", "procedure main() {}\n")]);
    snapshot!(
        "statistics",
        session.story(&["check", "--stats", "empty.bpl"])
    );
}

/// Which engines work, and why.
#[test]
fn portfolio() {
    let loops =
        "procedure p(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i < n; }";
    let session = Session::new(&[("loops.bpl", loops), ("unsafe.bpl", UNSAFE)]);
    let args = ["check", "--explain-portfolio", "loops.bpl"];
    snapshot!("explain_portfolio", session.story(&args));

    let json = |more: &[&str]| -> Value {
        let args = [&["check", "loops.bpl", "--format", "json"], more].concat();
        serde_json::from_slice(&session.run(&args).stdout).unwrap()
    };
    let plan = &json(&["--explain-portfolio"])["units"][0]["portfolio"];
    assert_eq!(plan["engines"][0]["engine"], "slicing");
    assert_eq!(plan["left_out"][0]["engine"], "heap");
    assert!(json(&[])["units"][0].get("portfolio").is_none());
    // One engine is no portfolio.
    let alone = json(&["--explain-portfolio", "--engine", "slicing"]);
    assert!(alone["units"][0].get("portfolio").is_none());
    // Who is left out neither works nor is first.
    let others = json(&["--explain-portfolio", "--without", "slicing,execution"]);
    let plan = &others["units"][0]["portfolio"];
    assert_eq!(plan["engines"][0]["engine"], "polynomials");
    let left_out = plan["left_out"].as_array().unwrap().iter();
    let left_out: Vec<&Value> = left_out.map(|absent| &absent["engine"]).collect();
    assert_eq!(left_out, ["heap", "arrays", "slicing", "execution"]);
    let all = ult_engine::EngineKind::ALL.iter();
    let all: Vec<&str> = all.map(|(kind, _)| kind.name()).collect();
    let nobody = ["check", "unsafe.bpl", "--without", &all.join(",")];
    snapshot!("without_anybody", session.story(&nobody));
    let alone = [
        "check",
        "unsafe.bpl",
        "--engine",
        "impact",
        "--without",
        "execution",
    ];
    snapshot!("without_alone", session.story(&alone));
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
    let engine = &json(&["--trace-refinement", "--engine", "slicing"])["units"][1]["refinement"][0];
    assert_eq!(engine["engine"], "slicing");
    assert_eq!(engine["searches"][0]["steps"][0]["action"], "start");
    assert!(json(&[])["units"][1].get("refinement").is_none());
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
            // Who has found a trace may be told to end before or after its last questions are answered.
            let by_time = ["longest_query", "ways_won"];
            statistics.retain(|name, _| !name.ends_with("_time") && !by_time.contains(&&**name));
        }
        value.to_string()
    };
    let first = print();
    for _ in 0..2 {
        assert_eq!(print(), first);
    }
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
            "-Z",
            "interpolation=external:no-such-solver",
            "safe.bpl"
        ])
    );
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
        Some("question\tanswer\tmilliseconds\tbytes\ttactic")
    );
    let mut number = 0;
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let question = std::fs::read_to_string(folder.join(cells[0])).unwrap();
        let (answer, tactic) = (cells[1], cells[4]);
        assert!(question.starts_with(&format!("; answer: {answer}\n; tactic: {tactic}\n")));
        assert!(
            ["", "session", "fresh", "spacer"].contains(&tactic),
            "{tactic}"
        );
        assert!(question.contains("(set-logic ") && question.ends_with("(check-sat)\n"));
        number += 1;
    }
    assert!(number > 0);
    // What is there is not written over.
    let again = session.run(&["check", "--log-queries", "questions", "p.bpl"]);
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn a_large_program_without_loops_is_decided_by_intervals() {
    let choices = "  if (*) { x := x + 1; } else { x := x + 2; }\n".repeat(60);
    let text = format!(
        "procedure main()\n{{\n  var x: int;\n  x := 0;\n{choices}  assert x >= 60;\n  assert x < 121;\n}}\n"
    );
    let session = Session::new(&[("large.bpl", &text)]);
    let said = session.story(&["check", "--trace-refinement", "large.bpl"]);
    let by_intervals = "engine intervals: 2 error locations decided";
    assert!(said.contains(by_intervals), "{said}");
    // What intervals leave open others decide, and what they decided stays.
    let mixed = text.replace("x < 121", "x != 77");
    let session = Session::new(&[("mixed.bpl", &mixed)]);
    let said = session.story(&["check", "--trace-refinement", "mixed.bpl"]);
    let one = "engine intervals: 1 error location decided";
    assert!(said.contains(one) && said.contains("x != 77"), "{said}");
    assert!(said.contains("1 of 2 obligations violated"), "{said}");
}

/// What the solver's library writes to stderr by itself is no message of this program, whatever is asked of panics.
#[cfg(target_os = "linux")]
#[test]
fn the_solvers_own_words_do_not_reach_a_terminal() {
    let session = Session::new(&[]);
    let program = crate::root().join("examples/first/ticket.bpl");
    let args = ["check", "--engine", "horn", program.to_str().unwrap()];
    let words = [&[env!("CARGO_BIN_EXE_ult")][..], &args].concat().join(" ");
    let told = std::process::Command::new("script")
        .args(["-qec", &words, "/dev/null"])
        .current_dir(session.path())
        .env("RUST_BACKTRACE", "1")
        .env("TERM", "xterm")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("SAFE"), "{told}");
    for word in ["Failed to find", "ASSERTION VIOLATION", "file an issue"] {
        assert!(!told.contains(word), "{told}");
    }
    // A message of this program is seen.
    let output = session
        .command(&["check", "missing.bpl"])
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.bpl"));
}

/// Other seeds, names and orders.
#[test]
#[ignore = "takes long"]
fn what_survives_other_seeds_is_told() {
    let program = "function f(x: int): int;\naxiom (forall x: int :: {f(x)} f(x) > x);\n\
                   procedure p(n: int) { assert f(f(n)) > n; }\nprocedure q(n: int) { assert n > 3; }\n";
    let session = Session::new(&[("p.bpl", program)]);
    let (code, told) = session.told(&["check", "--seeds", "2", "p.bpl", "--timeout", "60"]);
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("stable: the same verdicts in 2 other runs\n")
            && !told.contains("not stable"),
        "{told}"
    );
    // Without an axiom a counterexample is found at once.
    let session = Session::new(&[("q.bpl", "procedure q(n: int) { assert n > 3; }\n")]);
    let report = session.json(&["check", "--seeds", "2", "q.bpl", "--timeout", "60"]);
    against_schema(&report).unwrap();
    assert_eq!(
        report["stability"],
        serde_json::json!({ "runs": 2, "wanted": 2, "unstable": [] })
    );
}
