//! Sessions on the command line: what is printed, and the exit code. A file for each command, or for what commands have in
//! common.
//!
//! Snapshots show the input and the output together. Times are replaced by `TIME`, versions by
//! `VERSION`.

#![cfg(unix)]

macro_rules! snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!({
            omit_expression => true,
            prepend_module_to_snapshot => false,
            // One folder for all tests of the program.
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/snapshots"),
        }, { insta::assert_snapshot!($name, neutral(&$text)) });
    };
}

mod bits;
mod boogie;
mod cache;
mod cause;
mod check;
mod circuits;
mod doctor;
mod export;
mod files;
mod fmt;
mod formats;
mod grade;
mod graph;
mod help;
mod induction;
mod infer;
mod input;
mod limits;
mod linked;
mod many;
mod project;
mod run;
mod svlib;
mod threads;
mod unread;

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
        // How far it was unrolled when time was over.
        let line = match line.split_once("no violation in the first ") {
            Some((before, after)) => {
                let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("{before}no violation in the first N{rest}")
            }
            None => line,
        };
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
