//! How hard an engine works that only tries its luck.

use std::time::Instant;

use crate::limits;
use ult_core::control::Control;

/// How hard the engine works: beside others, after some seconds only a part of the time.
pub(crate) struct Pace<'c> {
    control: &'c Control,
    beside: bool,
    start: Instant,
    /// Since the last break.
    last: Instant,
}

impl<'c> Pace<'c> {
    /// From now on.
    pub(crate) fn new(beside: bool, control: &'c Control) -> Pace<'c> {
        let start = Instant::now();
        Pace {
            control,
            beside,
            start,
            last: start,
        }
    }

    /// Takes a break if it is time for one. What is found does not depend on breaks.
    pub(crate) fn rest(&mut self) {
        let worked = self.last.elapsed();
        if !self.beside || self.start.elapsed() < limits::AT_FULL_PACE || worked < limits::NAP_RUN {
            return;
        }
        let end = Instant::now() + 2 * worked;
        while Instant::now() < end && self.control.check().is_ok() {
            std::thread::sleep(limits::NAP_RUN);
        }
        self.last = Instant::now();
    }
}
