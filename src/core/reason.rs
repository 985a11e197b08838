//! Why a verdict is UNKNOWN: a closed list.

use thiserror::Error;

use crate::control::Stop;
use crate::graph::Origin;

/// Why something was not decided.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// The time limit was reached.
    #[error("timeout")]
    Timeout,
    /// The memory limit was reached.
    #[error("memory limit")]
    Memory,
    /// The user interrupted.
    #[error("cancelled")]
    Cancelled,
    /// A construct that the verifier cannot decide: what, and where.
    #[error("unsupported: {0}")]
    Unsupported(String, Option<Origin>),
    /// The solver gave up on a question.
    #[error("the solver gave up: {0}")]
    SolverUnknown(String),
    /// The solver died, or answered something that is no answer.
    #[error("the solver failed: {0}")]
    SolverFailed(String),
    /// No strategy found interpolants for an error path.
    #[error("no interpolants: {0}")]
    Interpolation(String),
    /// An engine that looks for one kind of answer only has found none.
    #[error("the engine found nothing: {0}")]
    Incomplete(String),
    /// The checker could not re-prove the invariants.
    #[error("the proof was not confirmed: {0}")]
    ProofRejected(String),
    /// The checker could not re-execute the run.
    #[error("the trace was not confirmed: {0}")]
    RunRejected(String),
    /// What was translated and what a compiler makes of it contradict each other.
    #[error("the translation may be wrong: {0}")]
    Translation(String),
    /// The compiled program was to confirm the run, and did not.
    #[error("the compiled program did not confirm the counterexample: {0}")]
    NotConfirmed(String),
    /// It does not follow from what is known, as far as a deductive proof goes, and no run shows that it is
    /// violated: what Boogie says of an assertion that "could not be proved".
    #[error("not proved: {0}")]
    NotProved(String),
    /// The violation found goes through a contract that says less than the procedure's body does.
    #[error("a violation depends on the contract of `{0}`")]
    ContractTooWeak(String),
    /// The proof found goes through a contract that its procedure was not proved to keep.
    #[error("the proof relies on the contract of `{0}`, which is not proved")]
    ContractUnproved(String),
    /// A bug in `ult`.
    #[error("internal error: {0}")]
    Internal(String),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Timeout => Reason::Timeout,
            Stop::Memory => Reason::Memory,
            Stop::Cancelled => Reason::Cancelled,
        }
    }
}

impl Reason {
    /// Whether it says of the search how it ended, and nothing about the program: then people want to know how far it came, and
    /// what is left.
    pub fn is_about_search(&self) -> bool {
        match self {
            Reason::Timeout
            | Reason::Memory
            | Reason::SolverUnknown(_)
            | Reason::Interpolation(_)
            | Reason::Incomplete(_)
            | Reason::ProofRejected(_)
            | Reason::RunRejected(_)
            | Reason::Unsupported(_, None) => true,
            Reason::Cancelled
            | Reason::Unsupported(_, Some(_))
            | Reason::SolverFailed(_)
            | Reason::Translation(_)
            | Reason::NotConfirmed(_)
            | Reason::NotProved(_)
            | Reason::ContractTooWeak(_)
            | Reason::ContractUnproved(_)
            | Reason::Internal(_) => false,
        }
    }

    /// Whether time or memory ran out, or the user gave up.
    pub fn is_limit(&self) -> bool {
        matches!(self, Reason::Timeout | Reason::Memory | Reason::Cancelled)
    }

    /// The stable one-word name, for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Memory => "memory",
            Reason::Cancelled => "cancelled",
            Reason::Unsupported(..) => "unsupported",
            Reason::SolverUnknown(_) => "solver-unknown",
            Reason::SolverFailed(_) => "solver-failed",
            Reason::Interpolation(_) => "interpolation-failed",
            Reason::Incomplete(_) => "incomplete",
            Reason::ProofRejected(_) => "proof-rejected",
            Reason::RunRejected(_) => "run-rejected",
            Reason::Translation(_) => "translation",
            Reason::NotConfirmed(_) => "not-confirmed",
            Reason::NotProved(_) => "not-proved",
            Reason::ContractTooWeak(_) => "contract-too-weak",
            Reason::ContractUnproved(_) => "contract-unproved",
            Reason::Internal(_) => "internal",
        }
    }
}
