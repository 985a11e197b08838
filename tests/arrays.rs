//! Quantified invariants about arrays, by the whole way from the text to checked verdicts.

use std::time::{Duration, Instant};

use ult_core::control::Control;
use ult_driver::{self as program, Conclusion, Language, Progress, Report, Settings, Source};
use ult_engine::EngineKind;
use ult_engine::verify::Method;

/// How long a proof may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a proof of what does not hold is looked for.
const SHORT: Duration = Duration::from_secs(15);

fn decide(kind: EngineKind, text: &str, limit: Duration) -> Report {
    let mut settings = Settings::default();
    settings.verify.method = Method::Engine(kind);
    let control = Control::with_deadline(Some(Instant::now() + limit));
    let source = Source::new("test", text);
    program::check(
        &source,
        Language::Boogie,
        &settings,
        &control,
        &Progress::default(),
    )
    .expect("no entries are named")
}

/// Checks a program by an engine that finds no runs, and the same one with `good` replaced by
/// `bad`: the first is proved, the second is left open.
#[track_caller]
pub fn proves_by(kind: EngineKind, text: &str, good: &str, bad: &str) {
    let report = decide(kind, text, PATIENCE);
    assert_eq!(report.conclusion(), Conclusion::Safe, "{:?}", report.units);
    assert!(text.contains(good));
    let report = decide(kind, &text.replace(good, bad), SHORT);
    let conclusion = report.conclusion();
    assert!(
        matches!(conclusion, Conclusion::Unknown(_)),
        "{conclusion:?}"
    );
}

#[track_caller]
fn proves(text: &str, good: &str, bad: &str) {
    proves_by(EngineKind::Arrays, text, good, bad);
}

#[test]
fn what_one_loop_writes_the_next_one_reads() {
    let text = "procedure fill(n: int) {
  var a, b: [int]int; var i: int;
  i := 0;
  while (i < n) { a[i] := 42; i := i + 1; }
  i := 0;
  while (i < n) { b[i] := a[i]; i := i + 1; }
  i := 0;
  while (i < n) { assert b[i] == 42; i := i + 1; }
}";
    proves(text, "while (i < n) { b", "while (i < n - 1) { b");
}

#[test]
fn cells_in_the_other_direction() {
    let text = "procedure reverse(n: int, a: [int]int) {
  var b: [int]int; var i: int;
  i := 0;
  while (i < n) { b[n - 1 - i] := a[i]; i := i + 1; }
  i := 0;
  while (i < n) { assert b[n - 1 - i] == a[i]; i := i + 1; }
}";
    proves(text, "b[n - 1 - i] := a[i]", "b[n - i] := a[i]");
}

#[test]
#[ignore = "takes long"]
fn the_greatest_cell() {
    let text = "procedure greatest(n: int, a: [int]int) {
  var i, max: int;
  max := a[0];
  i := 0;
  while (i < n) { if (a[i] > max) { max := a[i]; } i := i + 1; }
  i := 0;
  while (i < n) { assert a[i] <= max; i := i + 1; }
}";
    proves(text, "assert a[i] <= max", "assert a[i] < max");
}

#[test]
fn either_of_two_values() {
    let text = "procedure either(n: int, a: [int]int) {
  var b: [int]int; var i: int;
  i := 0;
  while (i < n) { if (a[i] > 0) { b[i] := 1; } else { b[i] := 2; } i := i + 1; }
  i := 0;
  while (i < n) { assert b[i] == 1 || b[i] == 2; i := i + 1; }
}";
    proves(text, "b[i] := 2", "b[i] := 3");
}

#[test]
fn two_cells_in_each_round() {
    let text = "procedure pairs(n: int) {
  var a: [int]int; var i: int;
  i := 0;
  while (i <= n) { a[2 * i] := 0; a[2 * i + 1] := 0; i := i + 1; }
  i := 0;
  while (i <= 2 * n) { assert a[i] == 0; i := i + 1; }
}";
    proves(text, "a[2 * i + 1] := 0", "a[2 * i + 1] := 1");
}

#[test]
#[ignore = "takes long"]
fn rows_of_cells() {
    let text = "procedure rows(n: int, b: [int, int]int) {
  var a: [int, int]int; var i, j: int;
  i := 0;
  while (i < n) { j := 0; while (j < n) { a[i, j] := b[i, j]; j := j + 1; } i := i + 1; }
  i := 0;
  while (i < n) { j := 0; while (j < n) { assert a[i, j] == b[i, j]; j := j + 1; } i := i + 1; }
}";
    proves(text, "a[i, j] := b[i, j]", "a[i, j] := b[j, i]");
}

#[test]
#[ignore = "takes long"]
fn an_index_of_two_variables() {
    let text = "procedure tiles(n: int) {
  var a: [int]int; var i, j: int;
  i := 1;
  while (i <= n) {
    j := 4;
    while (j >= 1) { a[4 * i - j] := if j >= 2 then j else 0; j := j - 1; }
    i := i + 1;
  }
  i := 0;
  while (i < 4 * n) { assert a[i] >= 2 || a[i] == 0; i := i + 1; }
}";
    proves(text, "j >= 2 then", "j >= 1 then");
}

#[test]
#[ignore = "takes long"]
fn all_cells_but_one() {
    let text = "procedure but(n: int, z: int, b: [int]int) {
  var a: [int]int; var i: int;
  i := 0;
  while (i < n) { if (i != z) { a[i] := b[i]; } i := i + 1; }
  i := 0;
  while (i < n) { if (i != z) { assert a[i] == b[i]; } i := i + 1; }
}";
    proves(text, "{ a[i] := b[i]", "{ a[i] := b[i + 1]");
}

#[test]
fn every_fourth_cell() {
    let text = "procedure strided(n: int, b: [int]int) {
  var a: [int]int; var i, j: int;
  i := 1;
  j := 0;
  while (i < n) { a[j] := b[i]; i := i + 4; j := j + 1; }
  i := 1;
  j := 0;
  while (i < n) { assert a[j] == b[4 * j + 1]; i := i + 4; j := j + 1; }
}";
    proves(text, "a[j] := b[i]", "a[j] := b[j]");
}

#[test]
#[ignore = "takes long"]
fn a_part_of_the_cells() {
    let text = "procedure part(n: int, m: int) {
  var a: [int]int; var i: int;
  i := 0;
  while (i < n && i <= m) { a[i] := 10; i := i + 1; }
  i := 0;
  while (i < n) { if (i <= m) { assert a[i] == 10; } i := i + 1; }
}";
    proves(text, "&& i <= m", "&& i < m");
}

#[test]
fn sums_of_cells() {
    let text = "procedure sums(n: int) {
  var a: [int]int; var i, sum: int;
  assume n > 0;
  i := 0;
  while (i < n) { a[i] := 2; i := i + 1; }
  i := 0;
  sum := 0;
  while (i < n) { sum := sum + a[i]; i := i + 1; }
  i := 0;
  while (i < n) { sum := sum - a[i]; i := i + 1; }
  assert sum == 0;
}";
    proves(text, "a[i] := 2", "a[i] := i");
}

#[test]
fn a_cell_that_counts() {
    let text = "procedure counter(n: int) {
  var a, c: [int]int; var i: int;
  assume n > 0;
  c[0] := 0;
  i := 0;
  while (i < n) { c[0] := c[0] + 1; i := i + 1; }
  i := 0;
  while (i < n) { a[i] := c[0] - n; i := i + 1; }
  i := 0;
  while (i < n) { assert a[i] == 0; i := i + 1; }
}";
    proves(text, "c[0] + 1", "c[0] + 2");
}

#[test]
fn programs_without_arrays_are_left_to_others() {
    let report = decide(
        EngineKind::Arrays,
        "procedure p(x: int) { assert x == x + 0; assert x > 0; }",
        SHORT,
    );
    let conclusion = report.conclusion();
    assert!(
        matches!(conclusion, Conclusion::Unknown(_)),
        "{conclusion:?}"
    );
}
