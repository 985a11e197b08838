//! Faults inside of Z3 end the process here: what `faults` does needs to know the system and the processor.

use std::convert::Infallible;

/// Nobody is told of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// How far it reaches.
    pub(super) extent: Extent,
    never: Infallible,
}

/// What is spoilt by a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What its context was asked.
    Question,
    /// All that Z3 has in this process.
    #[expect(dead_code, reason = "nobody is told of one")]
    Process,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.never {}
    }
}

/// What is asked for is not there.
pub(crate) fn outlive() {}

/// Does something.
///
/// # Errors
/// None.
///
/// # Safety
/// As `work`.
pub(super) unsafe fn run<T, W: FnOnce() -> T>(work: W) -> Result<T, Fault> {
    Ok(work())
}
