//! The solver's library, which commands need before they begin.

use std::panic;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::exit::Exit;
use super::limits;
use super::output::complain;

/// Loads it, and says so where that cannot be done, or does not come to an end in time.
///
/// # Errors
/// The exit code.
pub(crate) fn require(timeout: Option<Duration>) -> Result<(), Exit> {
    let limit = timeout.map_or(limits::SOLVER, |time| {
        time.clamp(limits::SOLVER_LEAST, limits::SOLVER)
    });
    loaded(limit).map_err(|why| {
        complain(&why);
        Exit::Solver
    })
}

/// Loads it on a thread of its own, since a library can hang.
///
/// # Errors
/// Why it cannot be used.
pub(crate) fn loaded(limit: Duration) -> Result<(), String> {
    // No channel: who waits at one for the first time registers a destructor with the system's loader, whose lock a library
    // that hangs while it is loaded never gives back.
    let answer = Arc::new((Mutex::new(None), Condvar::new()));
    let told = answer.clone();
    let load = move || {
        let loaded = panic::catch_unwind(ult_smt::require_z3)
            .unwrap_or_else(|_| Err("loading the Z3 library has failed".into()));
        let (place, bell) = &*told;
        // Nobody may wait any more: it was too late then.
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
        bell.notify_one();
    };
    if thread::Builder::new()
        .name("solver".into())
        .spawn(load)
        .is_err()
    {
        return ult_smt::require_z3();
    }
    let (place, bell) = &*answer;
    let waiting = place.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut loaded, _) = bell
        .wait_timeout_while(waiting, limit, |loaded| loaded.is_none())
        .unwrap_or_else(PoisonError::into_inner);
    loaded.take().unwrap_or_else(|| {
        let seconds = limit.as_secs_f64();
        Err(format!(
            "the Z3 library hangs: it could not be loaded within {seconds} seconds"
        ))
    })
}
