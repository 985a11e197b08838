//! What solvers answer, and how they fail.

use std::io;
use std::time::Duration;

use thiserror::Error;

use super::raw;
use ult_core::control::Stop;
use ult_core::reason::Reason;

/// The answer to a satisfiability question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver did not find out.
    Unknown(Failure),
}

/// Why a solver gave no answer. Never a verdict on the question itself.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The time for this question ran out.
    #[error("the time for the question ran out")]
    Timeout,
    /// The whole run was stopped.
    #[error("the run was stopped")]
    Stopped(Stop),
    /// The solver ran out of memory.
    #[error("the solver ran out of memory")]
    Memory,
    /// The solver gave up, for the reason it states.
    #[error("{0}")]
    Incomplete(String),
    /// The solver's process ended, or something in Z3 did not come to its end.
    #[error("the solver died: {0}")]
    Died(String),
    /// The solver said something that is no answer.
    #[error("unexpected output of the solver: {0}")]
    UnexpectedOutput(String),
    /// The question has something in it that the solver, or the translation, does not handle.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// There is no such solver on this machine.
    #[error("the solver cannot be started: {0}")]
    Missing(String),
}

/// How [`Reason::SolverUnknown`] says that the time for a question was over.
pub const OVER: &str = "timeout of one question";

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Reason {
        match failure {
            Failure::Timeout => Reason::SolverUnknown(OVER.into()),
            Failure::Stopped(stop) => stop.into(),
            Failure::Memory => Reason::Memory,
            Failure::Incomplete(why) => Reason::SolverUnknown(why),
            Failure::Unsupported(what) => Reason::Unsupported(what, None),
            failure @ (Failure::Died(_) | Failure::UnexpectedOutput(_) | Failure::Missing(_)) => {
                Reason::SolverFailed(failure.to_string())
            }
        }
    }
}

impl From<ult_smtlib::Unsupported> for Failure {
    fn from(unsupported: ult_smtlib::Unsupported) -> Failure {
        Failure::Unsupported(unsupported.0)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<raw::Error> for Failure {
    fn from(error: raw::Error) -> Failure {
        match error {
            raw::Error::Memory => Failure::Memory,
            raw::Error::Interrupted => Failure::Timeout,
            raw::Error::Died(why) => Failure::Died(why),
            raw::Error::Refused(message) => classify(&message),
        }
    }
}

/// The failure behind a reason that Z3 gives for not answering.
pub(super) fn classify(reason: &str) -> Failure {
    match reason {
        "timeout" | "canceled" | "cancelled" | "interrupted" | "interrupted from keyboard" => {
            Failure::Timeout
        }
        "memout" | "out of memory" | "max. memory exceeded" => Failure::Memory,
        "" => Failure::Incomplete("no reason given".into()),
        other => Failure::Incomplete(other.to_string()),
    }
}

/// Without a thread nobody keeps time limits.
pub(super) fn no_thread(error: io::Error) -> Failure {
    Failure::Incomplete(format!("no thread for time limits: {error}"))
}

/// The smaller one of two limits, where `None` is no limit.
pub(super) fn tighter(a: Option<Duration>, b: Option<Duration>) -> Option<Duration> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
