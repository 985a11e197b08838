//! Questions as SMT-LIB that any solver reads, for whoever listens (`--log-queries`).

use std::time::Instant;

use ult_core::questions::Question;

use super::answer::{Answer, Failure};
use super::session::Session;

/// Tells a question that was asked at `start`, if anybody listens. `tactic` is the one that answered.
pub(super) fn tell(
    session: &Session<'_>,
    start: Instant,
    answer: &str,
    tactic: Option<&'static str>,
    script: impl FnOnce() -> Result<String, Failure>,
) {
    let time = start.elapsed();
    let listener = session.control().questions();
    if !listener.listens() {
        return;
    }
    let script = script().unwrap_or_else(|failure| {
        let why = failure.to_string().replace(['\n', '\r'], " ");
        format!("; this question cannot be written in SMT-LIB: {why}\n")
    });
    listener.tell(Question {
        script,
        answer: answer.to_owned(),
        tactic: tactic.unwrap_or_default(),
        time,
    });
}

/// The answer in one line.
pub(super) fn word(answer: &Answer) -> String {
    match answer {
        Answer::Sat => "sat".into(),
        Answer::Unsat => "unsat".into(),
        Answer::Unknown(failure) => format!("unknown: {failure}").replace(['\n', '\r'], " "),
    }
}
