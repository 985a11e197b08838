//! What `ult check` says of an input.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value as Json;

use crate::process::{End, Limits, run};

/// How `ult` is called.
#[derive(Clone, Debug)]
pub(super) struct Verifier {
    /// The binary.
    pub binary: PathBuf,
    /// More arguments of `check`.
    pub check: Vec<String>,
    /// Seconds for each input.
    pub timeout: u64,
    /// Megabytes for each input.
    pub memory: u64,
}

/// What its answer is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// As it is.
    Right,
    /// Not as it is.
    Wrong(String),
    /// None, with the reason.
    Open(String),
    /// A crash, a report that cannot be understood, or an input that is rejected although it is well-formed.
    Failed(String),
}

impl Answer {
    /// Whether somebody has to look at it.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self, Answer::Wrong(_) | Answer::Failed(_))
    }
}

impl Verifier {
    /// Asks about a file in a folder.
    ///
    /// # Errors
    /// If `ult` cannot be started, or was stopped.
    pub(super) fn ask(
        &self,
        folder: &Path,
        file: &str,
        is_safe: bool,
        stop: &AtomicBool,
    ) -> Result<Answer, String> {
        let mut command = vec![self.binary.display().to_string()];
        command.extend(["check", "--format", "json", "--timeout"].map(str::to_owned));
        command.push(self.timeout.to_string());
        command.extend(["--memory".to_owned(), self.memory.to_string()]);
        command.extend(self.check.iter().cloned());
        command.push(folder.join(file).display().to_string());
        let limits = Limits {
            time: Duration::from_secs(self.timeout + 20),
            memory: (self.memory + 500) << 20,
        };
        let finished =
            run(&command, Some(folder), limits, stop).map_err(|error| error.to_string())?;
        Ok(match finished.end {
            End::Code(code) => judge(code, &finished.stdout, &finished.stderr, is_safe),
            End::Stopped => return Err("stopped".into()),
            End::Time => Answer::Failed("it does not keep the time limit".into()),
            End::Memory => Answer::Failed("it does not keep the memory limit".into()),
            End::Signal(signal) => Answer::Failed(format!("signal {signal}")),
        })
    }
}

/// Reads a report. Where there is nothing to check, nothing bad can happen.
fn judge(code: i32, stdout: &str, stderr: &str, is_safe: bool) -> Answer {
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
    match (&*verdict, is_safe) {
        ("SAFE" | "NOTHING", true) | ("UNSAFE", false) => Answer::Right,
        ("SAFE" | "NOTHING", false) | ("UNSAFE", true) => Answer::Wrong(verdict),
        ("UNKNOWN", _) => {
            let reason = report.get("reason").map(|reason| text(reason, "text"));
            Answer::Open(reason.unwrap_or_default())
        }
        _ => {
            let message = report
                .get("diagnostics")
                .and_then(Json::as_array)
                .into_iter()
                .flatten()
                .find(|problem| text(problem, "severity") == "error")
                .map(|problem| text(problem, "message"))
                .unwrap_or_default();
            Answer::Failed(format!("{}: {message}", verdict.to_lowercase()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let report = |verdict: &str| {
            format!(
                r#"{{"verdict":"{verdict}","reason":{{"code":"timeout","text":"timeout: 1 s"}},
                "diagnostics":[{{"severity":"error","message":"bad line"}}]}}"#
            )
        };
        let judged = |verdict: &str, is_safe| judge(0, &report(verdict), "", is_safe);
        assert_eq!(judged("SAFE", true), Answer::Right);
        assert_eq!(judged("NOTHING", true), Answer::Right);
        assert_eq!(judged("UNSAFE", false), Answer::Right);
        assert_eq!(judged("SAFE", false), Answer::Wrong("SAFE".into()));
        assert_eq!(judged("UNSAFE", true), Answer::Wrong("UNSAFE".into()));
        assert_eq!(judged("UNKNOWN", true), Answer::Open("timeout: 1 s".into()));
        assert_eq!(
            judged("REJECTED", true),
            Answer::Failed("rejected: bad line".into())
        );
        assert!(judge(101, "", "panicked", true).is_bad());
    }
}
