//! `ult doctor`: tries on this machine what verdicts depend on, and says for each failure what to do next.
//!
//! Nothing is concluded from version numbers alone: the solver is asked questions whose answers are known, and small
//! programs are verified from text to verdict.

mod programs;
mod solver;
mod surroundings;

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::exit::Exit;
use super::limits;
use super::output;
use ult_core::guard::guarded;
use ult_driver::worker;

/// One thing that is tried.
struct Check {
    /// What should be the case, in a few words.
    claim: String,
    /// Tries it; what to add to the claim if there is something, or what is wrong.
    attempt: Box<dyn FnOnce() -> Result<Option<String>, Ill> + Send>,
}

/// What is wrong, and the next thing to do about it.
#[derive(Debug)]
struct Ill {
    what: String,
    remedy: String,
}

/// How an attempt failed.
#[derive(Debug)]
enum Failed {
    /// It found something.
    Ill(Ill),
    /// It does not come back.
    Hangs(Duration),
}

/// What was looked for, and matters to some users only.
struct Remark {
    found: bool,
    text: String,
}

/// Runs the command.
pub(crate) fn run() -> Exit {
    match examine() {
        Ok(exit) | Err(exit) => exit,
    }
}

/// # Errors
/// The exit code if stdout cannot be written to.
fn examine() -> Result<Exit, Exit> {
    let mut examination = Examination::default();
    let look = limits::DOCTOR_LOOK;
    examination.section("Installation", look, surroundings::installation())?;
    let unusable = examination.failures > 0;
    if unusable {
        // An older library may do anything when it is called like a newer one.
        examination.say("\nThe solver and the programs were not tried.\n")?;
    } else {
        examination.section("Solver", limits::DOCTOR_QUESTION, solver::checks())?;
    }
    let solver_failures = examination.failures;
    if !unusable {
        let title = "Programs, from text to verdict";
        examination.section(title, limits::DOCTOR_PROGRAM, programs::checks())?;
    }
    examination.say("\nEditors\n")?;
    for remark in surroundings::editors() {
        let mark = if remark.found { "ok   " } else { "-    " };
        examination.say(&format!("  {mark} {}\n", remark.text))?;
    }
    examination.say(&match examination.failures {
        0 => "\nAll is well.\n".to_owned(),
        1 => "\n1 of the checks failed: see what to do above.\n".to_owned(),
        n => format!("\n{n} of the checks failed: see what to do above.\n"),
    })?;
    Ok(match (examination.failures, solver_failures) {
        (0, _) => Exit::Safe,
        (_, 0) => Exit::Unsafe,
        _ => Exit::Solver,
    })
}

/// What was found so far.
#[derive(Default)]
struct Examination {
    failures: usize,
    /// Something did not come back. What is tried after it would wait for the same.
    hangs: bool,
    has_sections: bool,
}

impl Examination {
    /// Tries one after the other, each for so long at most.
    fn section(&mut self, title: &str, limit: Duration, checks: Vec<Check>) -> Result<(), Exit> {
        let gap = if self.has_sections { "\n" } else { "" };
        self.has_sections = true;
        self.say(&format!("{gap}{title}\n"))?;
        for check in checks {
            if self.hangs {
                return self.say("  -     the rest was not tried, since something hangs\n");
            }
            let text = match tried(check.attempt, limit) {
                Ok(None) => format!("  ok    {}\n", check.claim),
                Ok(Some(detail)) => format!("  ok    {}: {detail}\n", check.claim),
                Err(failed) => {
                    self.failures += 1;
                    self.hangs = matches!(failed, Failed::Hangs(_));
                    let ill = failed.ill();
                    format!(
                        "  FAIL  {}: {}\n        to do: {}\n",
                        check.claim, ill.what, ill.remedy
                    )
                }
            };
            self.say(&text)?;
        }
        Ok(())
    }

    fn say(&self, text: &str) -> Result<(), Exit> {
        output::stdout(text)
    }
}

/// Tries something on a thread of its own: neither a panic nor a library that never comes back ends the examination.
fn tried(
    attempt: Box<dyn FnOnce() -> Result<Option<String>, Ill> + Send>,
    limit: Duration,
) -> Result<Option<String>, Failed> {
    let (sender, answer) = mpsc::channel();
    let work = move || {
        let result = guarded(|| Ok(attempt())).unwrap_or_else(|reason| {
            Err(Ill {
                what: reason.to_string(),
                remedy: REPORT.to_owned(),
            })
        });
        // Nobody waits any more: it was too late.
        let _ = sender.send(result);
    };
    let started = worker::spawn("doctor", work);
    if let Err(error) = started {
        return Err(Failed::Ill(Ill {
            what: format!("no thread can be started: {error}"),
            remedy: "free memory, or raise the limits of this process (`ulimit -a` shows them)"
                .into(),
        }));
    }
    match answer.recv_timeout(limit) {
        Ok(result) => result.map_err(Failed::Ill),
        Err(RecvTimeoutError::Timeout) => Err(Failed::Hangs(limit)),
        Err(RecvTimeoutError::Disconnected) => Err(Failed::Ill(Ill {
            what: "the thread that tried it ended early".into(),
            remedy: REPORT.to_owned(),
        })),
    }
}

impl Failed {
    fn ill(self) -> Ill {
        match self {
            Failed::Ill(ill) => ill,
            Failed::Hangs(limit) => Ill {
                what: format!("no answer within {} seconds", limit.as_secs()),
                remedy: format!("try again when the machine has less to do; otherwise {REPORT}"),
            },
        }
    }
}

/// What to do about what should never happen.
const REPORT: &str = "report it, with this output and the system's name and version";

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(120);

    fn outcome(
        limit: Duration,
        attempt: impl FnOnce() -> Result<Option<String>, Ill> + Send + 'static,
    ) -> Result<Option<String>, String> {
        tried(Box::new(attempt), limit).map_err(|failed| {
            let ill = failed.ill();
            assert!(!ill.remedy.is_empty());
            ill.what
        })
    }

    #[test]
    fn whatever_happens_is_told() {
        assert_eq!(outcome(PATIENCE, || Ok(None)), Ok(None));
        let ill = || Ill {
            what: "broken".into(),
            remedy: "mend it".into(),
        };
        assert_eq!(outcome(PATIENCE, move || Err(ill())), Err("broken".into()));
        let panicked = outcome(PATIENCE, || panic!("a stone in the gears")).unwrap_err();
        assert!(panicked.contains("a stone in the gears"), "{panicked}");
        // Whoever it waits for comes only when it is too late.
        let (sender, never) = mpsc::channel::<()>();
        let late = outcome(Duration::from_millis(50), move || {
            let _ = never.recv();
            Ok(None)
        });
        drop(sender);
        assert!(late.unwrap_err().contains("no answer"));
    }

    #[test]
    fn failures_are_counted() {
        let mut examination = Examination::default();
        let failing = || Check {
            claim: "the sun shines".into(),
            attempt: Box::new(|| {
                Err(Ill {
                    what: "it rains".into(),
                    remedy: "wait".into(),
                })
            }),
        };
        let fine = Check {
            claim: "it rains".into(),
            attempt: Box::new(|| Ok(None)),
        };
        let checks = vec![failing(), fine];
        examination.section("Weather", PATIENCE, checks).unwrap();
        assert_eq!((examination.failures, examination.hangs), (1, false));
        // Nothing is tried behind what hangs, so that the examination ends soon.
        let (sender, never) = mpsc::channel::<()>();
        let hanging = Check {
            claim: "the tide comes".into(),
            attempt: Box::new(move || {
                let _ = never.recv();
                Ok(None)
            }),
        };
        let (short, checks) = (Duration::from_millis(50), vec![hanging, failing()]);
        examination.section("Sea", short, checks).unwrap();
        examination
            .section("Land", PATIENCE, vec![failing()])
            .unwrap();
        assert_eq!((examination.failures, examination.hangs), (2, true));
        drop(sender);
    }
}
