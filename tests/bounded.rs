//! Bounded model checking and k-induction on small programs, by the whole way from the text to
//! checked verdicts.

use std::time::{Duration, Instant};

use ult_core::control::Control;
use ult_driver::{self as program, Conclusion, Language, Progress, Report, Settings, Source};
use ult_engine::EngineKind;
use ult_engine::invariants::Auxiliary;
use ult_engine::verify::Method;

fn check(text: &str, engine: EngineKind, auxiliary: Auxiliary, limit: Duration) -> Report {
    let mut settings = Settings::default();
    settings.verify.method = Method::Engine(engine);
    settings.verify.common.auxiliary = auxiliary;
    let control = Control::with_deadline(Some(Instant::now() + limit));
    let source = Source::new("test", text);
    let language = if text.trim_start().starts_with("graph") {
        Language::Graph
    } else {
        Language::Boogie
    };
    program::check(&source, language, &settings, &control, &Progress::default())
        .expect("no entries are named")
}

const ENOUGH: Duration = Duration::from_secs(30);
/// For what is expected to be undecided.
const SHORT: Duration = Duration::from_millis(1500);

fn bmc(text: &str) -> Report {
    check(text, EngineKind::Bmc, Auxiliary::Auto, ENOUGH)
}

fn kinduction(text: &str) -> Report {
    check(text, EngineKind::KInduction, Auxiliary::Auto, ENOUGH)
}

fn kinduction_alone(text: &str, limit: Duration) -> Report {
    check(text, EngineKind::KInduction, Auxiliary::None, limit)
}

#[track_caller]
fn assert_safe(report: &Report) {
    assert_eq!(report.conclusion(), Conclusion::Safe, "{:?}", report.units);
}

#[track_caller]
fn assert_unsafe(report: &Report) {
    assert_eq!(
        report.conclusion(),
        Conclusion::Unsafe,
        "{:?}",
        report.units
    );
}

#[track_caller]
fn assert_unknown(report: &Report) {
    let conclusion = report.conclusion();
    assert!(
        matches!(conclusion, Conclusion::Unknown(_)),
        "{conclusion:?}"
    );
}

/// In each round, the program of `count` rounds does what no small number of steps excludes.
fn rounds(count: u32, end: u32) -> String {
    format!(
        "graph rounds {{
  var i: int; var x: int;
  init start; error bad \"wrong\";
  start -> loop: i' == 0 && x' == 0;
  loop -> loop: i < {count} && i' == i + 1 && x' == x + i;
  loop -> bad: i >= {count} && x != {end};
}}"
    )
}

#[test]
fn a_loop_of_three_rounds_is_proved_where_the_forward_condition_holds() {
    let report = bmc(&rounds(3, 3));
    assert_safe(&report);
    // One step to the loop, three rounds, and one step more that is not there.
    assert_eq!(report.statistics.depth, 5);
    let report = kinduction_alone(&rounds(3, 3), ENOUGH);
    assert_safe(&report);
    assert!(report.statistics.depth <= 5);
    let report = bmc(&rounds(3, 4));
    assert_unsafe(&report);
    assert_eq!(report.statistics.depth, 5);
}

#[test]
fn programs_without_loops_are_decided() {
    let text = |wrong: &str| {
        format!(
            "procedure p(a: int) returns (b: int) {{
               if (a > 3) {{ b := a; }} else {{ b := 3; }}
               assert b >= 3; assert b >= a; {wrong}
             }}"
        )
    };
    assert_safe(&bmc(&text("")));
    assert_unsafe(&bmc(&text("assert b > 3;")));
}

#[test]
fn an_endless_loop_ends_by_the_limit_only() {
    let text = "procedure p() { var x: int; x := 0; while (true) { assert x >= 0; x := x + 1; } }";
    let start = Instant::now();
    let report = check(text, EngineKind::Bmc, Auxiliary::Auto, SHORT);
    assert_unknown(&report);
    assert!(report.statistics.depth > 3);
    assert!(start.elapsed() >= SHORT / 2);
    assert_safe(&kinduction(text));
}

/// `x` is what `y` was, `y` is what `z` was.
const QUEUE: &str = "graph queue {
  var a: int; var x: int; var y: int; var z: int;
  init start; error bad \"wrong\";
  start -> loop: x' == a && y' == a && z' == a;
  loop -> loop: x == a && x' == y && y' == z && z' == a;
  loop -> bad: x != a;
}";

#[test]
fn enough_steps_are_inductive_and_fewer_are_not() {
    let report = kinduction_alone(QUEUE, ENOUGH);
    assert_safe(&report);
    // Three rounds and the step to the error are inductive, so three steps have to be tried.
    assert_eq!(report.statistics.depth, 3);
    // Bounded model checking alone never comes to an end.
    assert_unknown(&check(QUEUE, EngineKind::Bmc, Auxiliary::Auto, SHORT));
}

#[test]
fn an_interval_makes_a_property_inductive() {
    // Rounds that miss the odd values: how `y` is, no number of steps says without `x >= 0`.
    let text = "procedure p() {
      var x, y: int;
      x := 0; y := 1;
      while (*) {
        if (x < 0) { y := y - 1; }
        x := x + 1;
        if (*) { x := 0; }
        assert y >= 1;
      }
    }";
    assert_unknown(&kinduction_alone(text, SHORT));
    assert_safe(&kinduction(text));
}

#[test]
fn loops_in_a_row() {
    let text = "procedure p(n: int) {
      var x, y: int;
      x := 0; y := 0;
      while (x < n) { x := x + 1; assert x > 0; }
      while (y < x) { y := y + 1; assert y > 0; assert y <= x; }
      assert x >= 0;
    }";
    assert_safe(&kinduction(text));
    let text = text.replace("assert x >= 0;", "assert x == 0;");
    assert_unsafe(&kinduction(&text));
    // It goes on looking for violations of the other assertions.
    assert_unsafe(&check(&text, EngineKind::Bmc, Auxiliary::Auto, SHORT));
}

#[test]
fn nested_loops() {
    let text = "procedure p(n: int, m: int) {
      var i, j, s: int;
      i := 0; s := 0;
      while (i < n) {
        j := 0;
        while (j < m) { j := j + 1; s := s + 1; assert j <= m; }
        i := i + 1;
        assert i <= n;
      }
      assert s >= 0;
    }";
    assert_safe(&kinduction(text));
    let text = text.replace("assert s >= 0;", "assert s <= 2;");
    assert_unsafe(&kinduction(&text));
}

#[test]
fn some_errors_are_reached_and_others_are_not() {
    let text = "procedure p() {
      var x, y: int;
      x := 0; y := 0;
      while (*) {
        assert x >= 0;
        assert x <= 2;
        assert y == 0;
        x := x + 1;
      }
    }";
    let report = kinduction(text);
    let verdicts: Vec<bool> = report.units[0]
        .obligations
        .iter()
        .map(|o| {
            assert!(o.verdict.reason().is_none(), "{:?}", o.verdict);
            o.verdict.is_safe()
        })
        .collect();
    assert_eq!(verdicts, [true, false, true]);
}

#[test]
fn bit_vectors_and_maps() {
    let text = "
    function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8) returns (bv8);
    function {:bvbuiltin \"bvule\"} ule(x: bv8, y: bv8) returns (bool);
    function {:bvbuiltin \"bvult\"} ult(x: bv8, y: bv8) returns (bool);
    procedure p() {
      var x: bv8; var m: [int]bv8;
      x := 0bv8; m[3] := 7bv8;
      while (ult(x, 5bv8)) {
        x := add(x, 1bv8);
        m[4] := x;
        assert m[3] == 7bv8;
      }
      assert ule(x, 5bv8);
    }";
    assert_safe(&kinduction(text));
    assert_unsafe(&kinduction(
        &text.replace("assert ule(x, 5bv8)", "assert ult(x, 5bv8)"),
    ));
}
