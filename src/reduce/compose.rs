//! The way back through several reductions, and through none.

use super::WayBack;
use ult_core::formula::Terms;
use ult_core::graph::LocationId;
use ult_core::graph::evidence::{Invariants, Run};

/// The way back through a sequence of reductions.
pub struct Compose {
    /// The ways back, in the order in which the reductions were done.
    pub steps: Vec<Box<dyn WayBack>>,
}

impl WayBack for Compose {
    fn location(&self, reduced: LocationId) -> LocationId {
        let steps = self.steps.iter().rev();
        steps.fold(reduced, |location, step| step.location(location))
    }

    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants {
        let steps = self.steps.iter().rev();
        steps.fold(reduced.clone(), |invariants, step| {
            step.invariants(terms, &invariants)
        })
    }

    fn run(&self, terms: &Terms, reduced: Run) -> Result<Run, String> {
        let mut steps = self.steps.iter().rev();
        steps.try_fold(reduced, |run, step| step.run(terms, run))
    }
}
