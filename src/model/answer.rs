//! What is known about a model, as plain data.

use std::collections::BTreeMap;
use std::sync::Arc;

use ult_check::Verdict;
use ult_core::formula::Value;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// What is known about all error locations of a model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The error locations, in the order in which they were made.
    pub errors: Vec<ErrorAnswer>,
    /// Counters and times.
    pub statistics: Statistics,
}

/// What is known about one error location.
#[derive(Clone, Debug)]
pub struct ErrorAnswer {
    /// The name of the location.
    pub location: Arc<str>,
    /// What it means to get there.
    pub meaning: Arc<str>,
    /// The checker's verdict. It alone counts; the rest tells about it.
    pub verdict: Verdict,
    /// If no run gets there: invariants by the names of locations, as Boogie expressions, but for
    /// those that say nothing.
    pub invariants: BTreeMap<Arc<str>, String>,
    /// If a run gets there: where it is and what the variables are, from the start to the error. Of a run of more than
    /// 20,000 steps, the middle is left out.
    pub run: Vec<Moment>,
}

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The name of the location.
    pub location: Arc<str>,
    /// The values of the variables, in the order in which they were made.
    pub values: Vec<(Arc<str>, Value)>,
}

impl Answer {
    /// Whether no run gets to any of the error locations.
    pub fn is_safe(&self) -> bool {
        self.errors.iter().all(|error| error.verdict.is_safe())
    }

    /// Whether a run gets to some error location.
    pub fn is_unsafe(&self) -> bool {
        self.errors.iter().any(|error| error.verdict.is_unsafe())
    }

    /// Why something is not known, if so: the first reason.
    pub fn reason(&self) -> Option<&Reason> {
        self.errors.iter().find_map(|error| error.verdict.reason())
    }

    /// What is known about the error location with this name.
    pub fn error(&self, location: &str) -> Option<&ErrorAnswer> {
        self.errors
            .iter()
            .find(|error| *error.location == *location)
    }
}

impl Moment {
    /// The value of the variable with this name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        let found = self.values.iter().find(|(own, _)| **own == *name);
        found.map(|(_, value)| value)
    }
}
