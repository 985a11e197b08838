//! A check that would take too long, watched and cancelled from another thread.
//!
//! `cargo run --example cancel`

#![allow(unreachable_pub, reason = "the example is a module of a test")]
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::fmt::Write as _;
use std::thread;
use std::time::Duration;

use ult::control::{Control, Stop};
use ult::program::{Language, Progress, Settings, Source, check};

/// Nobody knows how often this has to go round until `x` is 7, if ever.
const LOTTERY: &str = "procedure easy() { assert 1 + 1 == 2; }
procedure lottery() {
  var x: int;
  x := 0;
  while (true) {
    x := (1103515245 * x + 12345) mod 2147483648;
    assert x != 7;
  }
}";

/// What there is to tell.
pub fn story() -> Result<String, Box<dyn Error>> {
    let (control, progress) = (Control::unlimited(), Progress::default());
    let source = Source::new("lottery.bpl", LOTTERY);
    let settings = Settings::default();
    // ANCHOR: watched
    let report = thread::scope(|scope| {
        let worker =
            scope.spawn(|| check(&source, Language::Boogie, &settings, &control, &progress));
        // The progress says at any time what is being done and what is known.
        let at_the_lottery = || {
            progress
                .activity()
                .is_some_and(|now| &*now.unit == "lottery")
        };
        while !worker.is_finished() && !at_the_lottery() {
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(200));
        control.stop(Stop::Cancelled);
        worker.join()
    });
    // ANCHOR_END: watched
    let report = report.map_err(|_| "the check came to no end")??;
    let mut text = String::new();
    for unit in &report.units {
        writeln!(text, "{}: {}", unit.name, unit.conclusion())?;
    }
    for reason in report.reasons() {
        writeln!(text, "because: {reason}")?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", story()?);
    Ok(())
}
