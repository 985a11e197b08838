//! Reductions: each maps a program graph to a smaller one and gives the way back for evidence.

use crate::formula::Terms;
use crate::graph::ProgramGraph;
use crate::graph::evidence::{Invariants, Run};

/// The way back from a reduced graph to the graph it was made from.
pub trait WayBack {
    /// Invariants of the reduced graph as invariants of the graph before the reduction.
    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants;

    /// A run of the reduced graph as a run of the graph before the reduction; an error says what
    /// is missing. The result is a claim for the checker like any other.
    fn run(&self, terms: &Terms, reduced: &Run) -> Result<Run, String>;
}

/// The result of a reduction.
pub struct Reduced {
    /// The smaller graph.
    pub graph: ProgramGraph,
    /// The way back.
    pub back: Box<dyn WayBack>,
}
