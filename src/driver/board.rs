//! What a run knows so far, for those who watch it from other threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::result::Report;

/// A shared place where a run publishes what it knows. What has been published as SAFE or UNSAFE
/// stays so. Clones share one board.
#[derive(Clone, Default)]
pub struct Board {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    report: Option<Report>,
    activity: Option<Activity>,
}

/// What is being done.
#[derive(Clone)]
pub struct Activity {
    /// The unit.
    pub unit: Arc<str>,
    /// Its number, from 1 on.
    pub number: usize,
    /// How many units there are, as far as is known.
    pub units: usize,
    /// When it was begun.
    pub since: Instant,
}

impl Board {
    /// Publishes what is known about the file being worked on. What is not decided is UNKNOWN with
    /// the reason that holds if nothing more comes.
    pub fn publish(&self, report: Report) {
        self.state().report = Some(report);
    }

    /// What was published last.
    pub fn latest(&self) -> Option<Report> {
        self.state().report.clone()
    }

    /// Says what is being done now.
    pub fn begin(&self, activity: Activity) {
        self.state().activity = Some(activity);
    }

    /// Says that nothing is being done.
    pub fn pause(&self) {
        self.state().activity = None;
    }

    /// What is being done.
    pub fn activity(&self) -> Option<Activity> {
        self.state().activity.clone()
    }

    /// Wipes the board for the next file.
    pub fn clear(&self) {
        *self.state() = State::default();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
