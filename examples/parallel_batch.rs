//! Many programs, checked side by side, each with a time limit of its own.
//!
//! `cargo run --example parallel_batch`

#![allow(unreachable_pub, reason = "the example is a module of a test")]
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use ult::control::Control;
use ult::program::{Conclusion, Language, Progress, Report, Settings, Source, check};

// ANCHOR: checked
/// Checks a text, for at most a minute.
fn checked(name: &str, language: Language, text: &str) -> Option<Report> {
    let source = match language {
        Language::C => Source::c(name, text),
        _ => Source::new(name, text),
    };
    let control = Control::with_deadline(Instant::now().checked_add(Duration::from_secs(60)));
    check(
        &source,
        language,
        &Settings::default(),
        &control,
        &Progress::default(),
    )
    .ok()
}
// ANCHOR_END: checked

/// What there is to tell.
pub fn story() -> Result<String, Box<dyn Error>> {
    let batch = [
        ("max.bpl", Language::Boogie, MAX),
        ("count.ult", Language::Graph, COUNT),
        ("sum.c", Language::C, SUM),
        (
            "typo.bpl",
            Language::Boogie,
            "procedure p() { asert true; }",
        ),
    ];
    // Nothing is shared between the checks, so that they can go on different threads.
    let reports: Vec<Option<Report>> = thread::scope(|scope| {
        let workers: Vec<_> = batch
            .iter()
            .map(|(name, language, text)| scope.spawn(|| checked(name, *language, text)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().ok().flatten())
            .collect()
    });
    let mut text = String::new();
    for report in reports {
        let report = report.ok_or("a check that came to no end")?;
        write!(text, "{:<10} {}", report.source.name, report.conclusion())?;
        match report.conclusion() {
            Conclusion::Conditional(reason) | Conclusion::Unknown(reason) => {
                writeln!(text, ": {reason}")?
            }
            Conclusion::Rejected => writeln!(text, ": {}", report.diagnostics[0].message)?,
            Conclusion::Safe | Conclusion::Unsafe | Conclusion::Nothing => writeln!(text)?,
        }
        for violated in report.obligations().filter(|o| o.verdict.is_unsafe()) {
            let place = report.source.start(violated.span);
            writeln!(text, "  line {}: {}", place.line, violated.description)?;
            for step in violated.run.iter().filter(|step| !step.minor) {
                writeln!(text, "    {}", step.text())?;
            }
        }
    }
    Ok(text)
}

const MAX: &str = "procedure max(a: int, b: int) returns (m: int) {
  m := a;
  if (b < a) { m := b; }
  assert m >= a && m >= b;
}";

const COUNT: &str = "graph count {
  var x: int;
  init start;
  error negative \"x is negative\";
  start -> loop: x' == 0;
  loop -> loop: x' == x + 1;
  loop -> negative: x < 0;
}";

const SUM: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (n < 0 || n > 100) return 0;
  for (int i = 0; i < n; i++) sum += 2;
  //@ assert sum == 2 * n;
  return 0;
}";

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", story()?);
    Ok(())
}
