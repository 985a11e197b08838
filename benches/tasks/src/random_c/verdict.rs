//! What `ult` says of the two claims of a program, by proof and by running it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value as Json;

use super::program::{Ending, Program};
use crate::process::{End, Limits, run};

/// How `ult` is called.
#[derive(Clone, Debug)]
pub(super) struct Verifier {
    /// The binary.
    pub binary: PathBuf,
    /// More arguments of `check`.
    pub check: Vec<String>,
    /// More arguments of `run`.
    pub run: Vec<String>,
    /// Seconds for each question.
    pub timeout: u64,
    /// Megabytes for each question.
    pub memory: u64,
    /// Whether runs are compared, too.
    pub with_runs: bool,
}

/// The four questions.
pub(super) const QUESTIONS: [&str; 4] = ["check true", "check false", "run true", "run false"];

/// An answer to one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// As it is.
    Right,
    /// Not as it is.
    Wrong(String),
    /// None, with the reason.
    Open(String),
    /// A crash, or a report that cannot be understood.
    Failed(String),
}

/// The answers to the questions, in their order.
pub(super) fn ask(
    verifier: &Verifier,
    program: &Program,
    values: &[i64],
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Vec<Answer>, String> {
    let mut answers = Vec::new();
    for (name, ending) in [
        ("true.c", Ending::True(values)),
        ("false.c", Ending::False(values)),
    ] {
        std::fs::write(folder.join(name), program.render(ending))
            .map_err(|error| error.to_string())?;
    }
    for question in 0..QUESTIONS.len() {
        if question >= 2 && !verifier.with_runs {
            break;
        }
        answers.push(answer(verifier, program, values, question, folder, stop)?);
    }
    Ok(answers)
}

/// The answer to one question about a program, which is in a folder with these values.
pub(super) fn answer(
    verifier: &Verifier,
    program: &Program,
    values: &[i64],
    question: usize,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Answer, String> {
    let is_true = question.is_multiple_of(2);
    let is_check = question < 2;
    let file = if is_true { "true.c" } else { "false.c" };
    let mut command = vec![
        verifier.binary.display().to_string(),
        if is_check { "check" } else { "run" }.to_owned(),
        folder.join(file).display().to_string(),
        "--timeout".into(),
        verifier.timeout.to_string(),
        "--memory".into(),
        verifier.memory.to_string(),
    ];
    if program.is_32_bit {
        command.extend(["--data-model".into(), "ilp32".into()]);
    }
    if is_check {
        command.extend(["--format".into(), "json".into()]);
        command.extend(verifier.check.iter().cloned());
    } else {
        command.extend(verifier.run.iter().cloned());
    }
    let limits = Limits {
        time: Duration::from_secs(verifier.timeout + 20),
        memory: (verifier.memory + 500) << 20,
    };
    let finished = run(&command, Some(folder), limits, stop).map_err(|error| error.to_string())?;
    let code = match finished.end {
        End::Code(code) => code,
        End::Stopped => return Err("stopped".into()),
        End::Time => return Ok(Answer::Failed("it does not keep the time limit".into())),
        End::Memory => return Ok(Answer::Failed("it does not keep the memory limit".into())),
        End::Signal(signal) => return Ok(Answer::Failed(format!("signal {signal}"))),
    };
    let depends_on_order = program.depends_on_order(values);
    Ok(match is_check {
        true => {
            let answer = checked(code, &finished.stdout, &finished.stderr, is_true);
            match program.orders {
                Some(_) => in_any_order(answer, is_true, depends_on_order),
                None => answer,
            }
        }
        false => match executed(code, &finished.stdout, &finished.stderr, is_true) {
            Answer::Wrong(_) if depends_on_order => Answer::Open("another order".into()),
            answer => answer,
        },
    })
}

/// Reads a report of `ult check --format json`.
fn checked(code: i32, stdout: &str, stderr: &str, is_true: bool) -> Answer {
    let Ok(report) = serde_json::from_str::<Json>(stdout) else {
        let line = stderr.lines().next_back().unwrap_or_default();
        return Answer::Failed(format!("exit code {code} and no report: {line}"));
    };
    let text = |json: &Json, key: &str| {
        json.get(key)
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let verdict = text(&report, "verdict");
    match (&*verdict, is_true) {
        ("SAFE", true) | ("UNSAFE", false) => Answer::Right,
        ("SAFE", false) | ("UNSAFE", true) => Answer::Wrong(verdict),
        ("UNKNOWN", _) => {
            let what = report.get("reason").map(|reason| text(reason, "text"));
            Answer::Open(what.unwrap_or_default())
        }
        _ => {
            let message = report
                .get("diagnostics")
                .and_then(Json::as_array)
                .into_iter()
                .flatten()
                .find(|problem| text(problem, "severity") == "error")
                .map_or_else(
                    || {
                        report
                            .get("reason")
                            .map(|reason| text(reason, "text"))
                            .unwrap_or_default()
                    },
                    |problem| text(problem, "message"),
                );
            Answer::Open(format!("{}: {message}", verdict.to_lowercase()))
        }
    }
}

/// What an answer is worth where the order of evaluation is open: what is violated in some order must not be proved, and what
/// conflicts may be a violation although all orders agree.
fn in_any_order(answer: Answer, is_true: bool, depends_on_order: bool) -> Answer {
    match answer {
        Answer::Right if is_true && depends_on_order => {
            Answer::Wrong("SAFE, and another order violates it".into())
        }
        Answer::Wrong(verdict) if is_true && verdict == "UNSAFE" => match depends_on_order {
            true => Answer::Right,
            false => Answer::Open("a conflict that changes nothing".into()),
        },
        answer => answer,
    }
}

/// Reads what `ult run` says.
fn executed(code: i32, stdout: &str, stderr: &str, is_true: bool) -> Answer {
    // Calls come first, then what happened.
    let is_call = |line: &&str| line.starts_with('`') && line.contains("was called");
    let line = stdout
        .lines()
        .find(|line| !is_call(line))
        .unwrap_or_default();
    let is_finished = line.starts_with("finished");
    let is_violated = line.starts_with("assertion violated");
    match (is_true, is_finished, is_violated) {
        (true, true, _) | (false, _, true) => Answer::Right,
        (true, _, true) | (false, true, _) => Answer::Wrong(line.to_owned()),
        _ if code == 4 || code == 3 || code == 5 => {
            let line = match line.is_empty() {
                true => stderr.lines().next().unwrap_or_default(),
                false => line,
            };
            // Without the place: reasons are counted.
            let what = line.split(" at ").next().unwrap_or_default();
            Answer::Open(what.to_owned())
        }
        _ => Answer::Failed(format!(
            "exit code {code}: {line} {}",
            stderr.lines().next_back().unwrap_or_default()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let report = |verdict: &str| {
            format!(
                r#"{{"verdict":"{verdict}","reason":{{"code":"unsupported","text":"unsupported: y"}}}}"#
            )
        };
        assert_eq!(checked(0, &report("SAFE"), "", true), Answer::Right);
        assert_eq!(
            checked(0, &report("SAFE"), "", false),
            Answer::Wrong("SAFE".into())
        );
        assert_eq!(
            checked(1, &report("UNSAFE"), "", true),
            Answer::Wrong("UNSAFE".into())
        );
        assert_eq!(
            checked(4, &report("UNKNOWN"), "", true),
            Answer::Open("unsupported: y".into())
        );
        assert!(matches!(
            checked(101, "", "panicked", true),
            Answer::Failed(_)
        ));
    }

    #[test]
    fn runs_are_read() {
        assert_eq!(
            executed(0, "finished, exit status 0\n", "", true),
            Answer::Right
        );
        assert!(matches!(
            executed(0, "finished, exit status 0\n", "", false),
            Answer::Wrong(_)
        ));
        assert_eq!(
            executed(
                1,
                "`f` was called at a.c:1:1 by `main`\nassertion violated at a.c:7:100: b\n",
                "",
                false
            ),
            Answer::Right
        );
        assert_eq!(
            executed(4, "blocked at v.c:3:42: what is assumed\n", "", false),
            Answer::Open("blocked".into())
        );
        assert!(matches!(
            executed(101, "", "panicked", true),
            Answer::Failed(_)
        ));
    }
}
