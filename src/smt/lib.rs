//! The room that talks to solvers: Z3 in the process, and others over SMT-LIB text.
//!
//! A [`Session`] holds what the solvers of one unit share; a [`Solver`] answers questions
//! incrementally; a [`Model`] gives exact values and projects formulas.
//! No other room knows Z3.
//!
//! Whatever goes wrong becomes a [`Failure`], never an answer.

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
pub mod processes;
mod raw;
mod session;
pub mod smtlib;
mod threads;
mod value;
mod ways;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Failure, OVER};
pub use horn::{HornAnswer, horn_chain};
pub use incremental::Solver;
pub use model::Model;
pub use session::Session;

/// The version of the Z3 library that is linked, as it states it.
pub fn z3_version() -> String {
    // `Z3 5.4.0.0`, as the library says it.
    z3::full_version().to_owned()
}

/// Refuses a Z3 that is too old. Binaries may find another library at run time than the one they
/// were built with, and an older one answers differently without a word.
pub fn require_z3() -> Result<(), String> {
    let version = z3_version();
    match major_version(&version) {
        Some(major) if major >= 5 => Ok(()),
        _ => Err(format!("Z3 5.0 or newer is needed, found `{version}`")),
    }
}

/// The first number in `Z3 5.4.0.0` or `5.4.0`.
fn major_version(version: &str) -> Option<u32> {
    let digits = version
        .trim_start_matches("Z3")
        .trim_start()
        .split('.')
        .next()?;
    digits.parse().ok()
}

/// The solver with its version, for people: `Z3 5.4.0`.
pub fn solver_name() -> String {
    let version = z3_version();
    let version = version.trim();
    if version.starts_with("Z3") {
        version.to_owned()
    } else {
        format!("Z3 {version}")
    }
}
