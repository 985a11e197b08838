//! What is told of circuits: how large they are, how far they were unrolled, who decided what; and programs as circuits.

use std::fs;

use serde_json::Value;

use crate::session::Session;

/// Of the three errors one is excluded by ranges, one by the last bit of `x`, and one is reached. `unrelated` matters to none.
const ROUNDS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned x = 1, unrelated = 0;
  int i = 0;
  while (i < 10) {
    unrelated = 3 * unrelated + 7;
    x += 2 * (unsigned)__VERIFIER_nondet_int();
    i = i + 1;
    if (i > 10) reach_error();
    if (x == 4) reach_error();
    if (i == 3 && x == 9) reach_error();
  }
  return 0;
}
";

/// A run has ten rounds; whether there are more is not known within nine.
const TEN: &str = "\
function {:bvbuiltin \"bvadd\"} add(bv8, bv8) returns (bv8);
procedure ten() {
  var x, y: bv8;
  x, y := 0bv8, 0bv8;
  while (x != 10bv8) { x, y := add(x, 1bv8), add(y, 2bv8); }
  assert y == 20bv8;
}
";

/// The report on a file, with its exit code.
fn report(session: &Session, args: &[&str]) -> (Option<i32>, Value) {
    let all = [&["check", "--format", "json", "--stats"], args].concat();
    let output = session.run(&all);
    let report = serde_json::from_slice(&output.stdout).expect("a report");
    (output.status.code(), report)
}

fn number(report: &Value, of: &str) -> u64 {
    let at = format!("/statistics/{of}");
    let number = report.pointer(&at).and_then(Value::as_u64);
    number.unwrap_or_else(|| panic!("{of}: {report}"))
}

#[test]
fn what_circuits_are_made_of_is_counted() {
    let without = ROUNDS.replace("    unrelated = 3 * unrelated + 7;\n", "");
    let session = Session::new(&[("rounds.c", ROUNDS), ("without.c", &without)]);
    let bits = |file: &str, engine: &str| {
        let args = ["--int-encoding", "bits", "--confirm", "never", "--property"];
        let args = [&args[..], &["unreach-call", "--engine", engine, file]].concat();
        let (code, report) = report(&session, &args);
        assert_eq!(code, Some(1), "{report}");
        report
    };
    let stages = |report: &Value| {
        ["analysis", "search"]
            .map(|stage| number(report, &format!("stages/proved_by_{stage}")))
            .into_iter()
            .chain([number(report, "stages/violated")])
            .collect::<Vec<_>>()
    };
    for engine in ["bits-bmc", "ic3"] {
        let told = bits("rounds.c", engine);
        assert_eq!(stages(&told), [0, 2, 1], "{engine}");
        // What no error depends on is not in the circuit.
        let other = bits("without.c", engine);
        for of in ["latches", "gates", "inputs"] {
            assert!(number(&told, of) > 0, "{of}");
            assert_eq!(number(&told, of), number(&other, of), "{engine}: {of}");
        }
        // Two numbers of 32 bits, and the location; what is read is an input.
        assert!((65..100).contains(&number(&told, "latches")), "{told}");
    }
    let depths = bits("rounds.c", "bits-bmc")["statistics"]["unrolled"].take();
    let depths: Vec<&Value> = depths.as_array().expect("depths").iter().collect();
    assert!(depths.len() > 2, "{depths:?}");
    for pair in depths.windows(2) {
        let of = |name: &str| [0, 1].map(|number| pair[number][name].as_f64().expect("a number"));
        let [before, after] = of("depth");
        assert_eq!(before + 1.0, after);
        // One solver for all: what it has learnt, it keeps.
        for name in ["time", "clauses", "conflicts"] {
            let [before, after] = of(name);
            assert!(before <= after, "{name}");
        }
    }
    // Stages, and what merging of blocks leaves, by engines that look at the reduced graph.
    let args = ["--property", "unreach-call", "--int-encoding", "math"];
    let (_, told) = report(
        &session,
        &[&args[..], &["--engine", "intervals", "rounds.c"]].concat(),
    );
    assert_eq!(stages(&told)[0], 1, "{told}");
    let merged = |blocks: &str| {
        let args = ["--property", "unreach-call", "--int-encoding", "bits"];
        let bounded = ["--engine", "bmc", "--blocks", blocks];
        let (_, told) = report(
            &session,
            &[&args[..], &bounded, &["--timeout", "20", "rounds.c"]].concat(),
        );
        (
            number(&told, "locations"),
            number(&told, "reduced_locations"),
        )
    };
    let (large, single) = (merged("large"), merged("none"));
    assert_eq!(large.0, single.0);
    assert!(
        large.1 < single.1 && single.1 <= single.0,
        "{large:?} {single:?}"
    );
}

#[test]
fn a_bound_is_no_proof() {
    let wrong = TEN.replace("assert y == 20bv8", "assert y == 21bv8");
    let session = Session::new(&[("ten.bpl", TEN), ("wrong.bpl", &wrong)]);
    let verdict = |file: &str, bound: &str| {
        let (_, told) = report(
            &session,
            &["--engine", "bits-bmc", "--circuit", bound, file],
        );
        let reason = told["reason"]["code"].as_str().map(str::to_owned);
        (
            told["verdict"].as_str().expect("a verdict").to_owned(),
            reason,
        )
    };
    let not_far_enough = ("UNKNOWN".to_owned(), Some("incomplete".to_owned()));
    assert_eq!(verdict("ten.bpl", "bound-5"), not_far_enough);
    assert_eq!(verdict("wrong.bpl", "bound-5"), not_far_enough);
    assert_eq!(verdict("ten.bpl", "bound-20").0, "SAFE");
    assert_eq!(verdict("wrong.bpl", "bound-20").0, "UNSAFE");
}

/// All runs end within a few rounds, as long as no number is larger than those that the circuit has.
const GROWN: &str = "\
procedure grown() {
  var x, i: int;
  x, i := 100000, 0;
  while (i < 3) { x := x * x; i := i + 1; }
  assert x < 0;
}
";

/// It matters to nothing how large `n` is.
const HELD: &str = "\
procedure held(n: int) {
  var i: int;
  i := 0;
  while (i < 3 && n != 0) { i := i + 1; }
  assert i <= 3;
}
";

#[test]
fn what_holds_of_small_numbers_only_is_a_guess() {
    let session = Session::new(&[("grown.bpl", GROWN), ("held.bpl", HELD)]);
    let (code, told) = report(&session, &["--engine", "bits-bmc", "grown.bpl"]);
    assert_eq!(code, Some(4), "{told}");
    // No bug of the engine, and no word about steps in which larger numbers were left out.
    assert_eq!(told["reason"]["code"], "incomplete", "{told}");
    let words = told["reason"]["text"].as_str().expect("words");
    assert!(words.contains("integers have up to 34 bits"), "{words}");
    assert_eq!(number(&told, "depth"), 0);
    for engine in ["bits-bmc", "ic3"] {
        let (code, told) = report(&session, &["--engine", engine, "held.bpl"]);
        assert_eq!(code, Some(0), "{engine}: {told}");
    }
    let (code, told) = report(&session, &["grown.bpl"]);
    assert_eq!(code, Some(1), "{told}");
}

#[test]
fn a_constant_without_bounds_is_in_no_circuit() {
    let text = "const n: int;\nprocedure p() { assert n < 17179869184; }\n";
    let session = Session::new(&[("n.bpl", text)]);
    let output = session.run(&["export", "--format", "aiger", "n.bpl"]);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{words}");
    assert!(
        words.contains("the integer `n` has no known bounds"),
        "{words}"
    );
}

/// A condition that excludes itself is proved without a look at the runs: there is no such step.
const NO_STEP: &str = "\
function {:bvbuiltin \"bvadd\"} add(bv8, bv8) returns (bv8);
procedure p() {
  var x: bv8;
  x := 0bv8;
  while (x != 10bv8) { x := add(x, 1bv8); }
  assert x == 10bv8;
}
";

#[test]
fn what_no_step_leads_to_needs_no_unrolling() {
    let session = Session::new(&[("none.bpl", NO_STEP)]);
    let args = ["--engine", "bits-bmc", "--circuit", "bound-1", "none.bpl"];
    let (code, told) = report(&session, &args);
    assert_eq!(code, Some(0), "{told}");
}

/// The ends of both functions are not reached, so nothing is to be said about the result there.
const ENDS: &str = "\
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }
static int switched(unsigned char x) {
  int y = 1;
  switch (x % 3) {
  case 0: return y;
  case 1: while (x) { if (x == 7) break; x++; } return 2;
  default: { int z = 3; return z; }
  }
}
static int searched(unsigned char x) {
  for (;;) {
    if (x > 100) return x;
    x = x + 1;
  }
}
int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  if (switched(x) + searched(x) > 258) reach_error();
  return 0;
}
";

#[test]
fn functions_whose_end_is_not_reached_become_circuits() {
    // With a way out the end is reached, and the result is used.
    let left = ENDS.replace("if (x > 100) return x;", "if (x > 100) break;");
    let session = Session::new(&[("ends.c", ENDS), ("left.c", &left)]);
    let export = |file: &str| {
        let bits = ["--int-encoding", "bits", "--property", "unreach-call"];
        let to = ["--format", "aiger", "--output", "circuit.aig"];
        session.told(&[&["export", file][..], &bits, &to].concat())
    };
    let (code, told) = export("left.c");
    assert!(
        code == 2 && told.contains("ends without `return`"),
        "{told}"
    );
    let (code, told) = export("ends.c");
    assert_eq!(code, 0, "{told}");
    let size = fs::metadata(session.path().join("circuit.aig")).map(|file| file.len());
    assert!(size.is_ok_and(|size| size > 100));
    let (code, told) = session.told(&["check", "--quiet", "--engine", "ic3", "circuit.aig"]);
    assert_eq!(code, 0, "{told}");
}
