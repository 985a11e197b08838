//! The time that a strategy has.

use std::time::{Duration, Instant};

use crate::limits;
use ult_core::control::Control;
use ult_smt::Failure;

/// A deadline within a run.
#[derive(Clone)]
pub(super) struct Budget<'a> {
    control: &'a Control,
    deadline: Instant,
}

impl<'a> Budget<'a> {
    pub(super) fn new(control: &'a Control, limit: Duration) -> Budget<'a> {
        Budget {
            control,
            deadline: Instant::now() + limit,
        }
    }

    /// The limits of the whole run.
    pub(super) fn control(&self) -> &'a Control {
        self.control
    }

    fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Whether the time is up.
    pub(super) fn is_over(&self) -> bool {
        self.remaining().is_zero()
    }

    /// The time left, as the limit of one question; a failure if there is none.
    pub(super) fn left(&self) -> Result<Option<Duration>, Failure> {
        self.control.check()?;
        let left = self.remaining();
        if left.is_zero() {
            return Err(Failure::Timeout);
        }
        Ok(Some(left))
    }

    /// The time left, which may be none; a failure only if the run was stopped.
    pub(super) fn left_or_stopped(&self) -> Result<Duration, Failure> {
        self.control.check()?;
        Ok(self.remaining())
    }

    /// The limit of a question that need not be answered.
    pub(super) fn short(&self) -> Option<Duration> {
        Some(self.remaining().min(limits::SHORT))
    }

    /// The limit of a question about a whole path, without whose answer it goes on, too.
    pub(super) fn modest(&self) -> Result<Option<Duration>, Failure> {
        Ok(self.left()?.map(|left| (left / 8).min(limits::MODEST)))
    }

    /// One part of so many of the time left.
    pub(super) fn share(&self, of: u32) -> Budget<'a> {
        Budget::new(self.control, self.remaining() / of)
    }
}
