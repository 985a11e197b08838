//! Engines: a program graph in, evidence out.

pub mod blocks;
pub mod horn;
pub mod path;
pub mod slicing;

use std::collections::BTreeMap;

use crate::control::Control;
use crate::formula::Terms;
use crate::graph::evidence::{Invariants, Run};
use crate::graph::{LocationId, ProgramGraph};
use crate::reason::Reason;
use crate::stats::Statistics;

/// What an engine found out. None of it is a verdict before the checker confirmed it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// For each error location that was reached, a claimed run that ends there.
    pub runs: BTreeMap<LocationId, Run>,
    /// Claimed invariants that exclude all error locations but those exempt (the ones with runs,
    /// and the undecided ones).
    pub invariants: Option<Invariants>,
    /// Error locations left undecided, and why.
    pub undecided: BTreeMap<LocationId, Reason>,
}

/// A way to decide program graphs.
pub trait Engine {
    /// The name, as in `--engine NAME`.
    fn name(&self) -> &'static str;

    /// Decides the error locations of `graph` as far as it can before `control` stops it. Never
    /// panics on a well-formed graph; whatever goes wrong is a reason in the outcome.
    fn run(
        &self,
        terms: &Terms,
        graph: &ProgramGraph,
        control: &Control,
        stats: &mut Statistics,
    ) -> Outcome;
}
