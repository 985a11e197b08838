//! The room that talks to solvers: Z3 in the process, and others over SMT-LIB text.
//!
//! A [`Session`] holds what the solvers of one unit share; a [`Solver`] answers questions
//! incrementally; a [`Model`] gives exact values and projects formulas.
//! No other room knows Z3.
//!
//! Whatever goes wrong becomes a [`Failure`], never an answer.
//!
//! An answer is sat, unsat, or a failure with its kind. There is no Boolean that a failure could fall into.
//!
//! | module | idea |
//! |---|---|
//! | `session`, `incremental`, `model` | the incremental solver, and its models |
//! | `portfolio` | several tactics for one question at the same time |
//! | `encode`, `decode`, `value` | terms as Z3's expressions, and back |
//! | `lower`, `branch_and_prune` | floating-point numbers as bits, and as ranges |
//! | [`horn`] | Horn clauses, by Spacer |
//! | [`smtlib`] | SMT-LIB as text, and other solvers as processes |
//! | `raw` | Z3's C interface: the only unsafe code here |
//! | `log` | questions as SMT-LIB that any solver reads |
//! | `limits` | how long things may take |
//!
//! Some questions make Z3 crash. The program `ult` survives that where it can: see [`outlive_faults`].

mod alarm;
mod answer;
mod branch_and_prune;
mod decode;
mod encode;
mod features;
mod float;
pub mod horn;
mod incremental;
mod limits;
mod log;
mod lower;
mod model;
mod portfolio;
pub mod processes;
mod raw;
mod sequences;
mod session;
pub mod smtlib;
mod threads;
mod value;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Failure, OVER};
pub use horn::{HornAnswer, horn_chain};
pub use incremental::Solver;
pub use model::Model;
pub use session::{Session, Split};

/// The environment variable that names another Z3 library than the one that the program was built with.
pub const Z3_VARIABLE: &str = raw::VARIABLE;

/// The version of the Z3 library, as it states it: `Z3 5.4.0.0`. Where none can be used, this says so.
pub fn z3_version() -> String {
    raw::version().unwrap_or("no Z3").to_owned()
}

/// Loads the Z3 library, and refuses one that is missing, broken or too old: an older one answers differently without a
/// word.
///
/// # Errors
/// Why it cannot be used, in words for the user.
pub fn require_z3() -> Result<(), String> {
    raw::version().map(drop).map_err(str::to_owned)
}

/// From now on a question that Z3 dies of (it reads through null, or its stack is full) is a question without an answer, where
/// that is known to be possible: on Linux, on x86-64. To be called before anything is asked.
///
/// For programs that want it: it takes handlers of signals, which belong to the whole process.
pub fn outlive_faults() {
    raw::outlive();
}

/// The solver with its version, for people: `Z3 5.4.0`.
pub fn solver_name() -> String {
    let version = z3_version();
    let version = version.trim();
    if version.starts_with("Z3") || version == "no Z3" {
        version.to_owned()
    } else {
        format!("Z3 {version}")
    }
}
