//! The solver's library, which commands need before they begin.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::exit::Exit;
use super::limits;

/// Loads it, and says so where that cannot be done, or does not come to an end in time.
///
/// # Errors
/// The exit code.
pub(crate) fn require(timeout: Option<Duration>) -> Result<(), Exit> {
    let limit = timeout.map_or(limits::SOLVER, |time| {
        time.clamp(limits::SOLVER_LEAST, limits::SOLVER)
    });
    loaded(limit).map_err(|why| {
        super::complain(&why);
        Exit::Solver
    })
}

/// Loads it on a thread of its own, since a library can hang.
///
/// # Errors
/// Why it cannot be used.
pub(crate) fn loaded(limit: Duration) -> Result<(), String> {
    let (sender, answer) = mpsc::channel();
    let load = move || {
        // Nobody waits any more: it was too late.
        let _ = sender.send(ult_smt::require_z3());
    };
    if thread::Builder::new()
        .name("solver".into())
        .spawn(load)
        .is_err()
    {
        return ult_smt::require_z3();
    }
    match answer.recv_timeout(limit) {
        Ok(loaded) => loaded,
        Err(RecvTimeoutError::Timeout) => {
            let seconds = limit.as_secs_f64();
            Err(format!(
                "the Z3 library hangs: it could not be loaded within {seconds} seconds"
            ))
        }
        Err(RecvTimeoutError::Disconnected) => Err("loading the Z3 library has failed".into()),
    }
}
