//! Bounded model checking and k-induction.
//!
//! After Beyer, Dangl, Wendler: "Boosting k-Induction with Continuously-Refined Invariants" (CAV
//! 2015), and chapter 5 of Wendler's "Towards Practical Predicate Analysis" (2017), which have one
//! loop. Here the whole graph is one transition system whose state includes the location, so
//! several loops and nested ones are nothing special. Depth is counted in edges of the graph, each
//! of them a block.
//!
//! * [`forward`]: the unrolling from the initial location. Its base question is whether an error
//!   location is reached at this depth; its *forward condition*, whether anything is reached from
//!   where there is a way to an error location.
//! * [`backward`]: the step case of k-induction. Whether `k` passages in a row, from anywhere, may
//!   end in an error location, given the auxiliary invariants known so far.
//!
//! For each error location: a run; or an argument that the checker confirms
//! ([`Argument`]); or neither.

pub mod backward;
pub mod forward;
mod layers;
mod search;

use super::{Engine, Outcome};
use crate::control::Control;
use crate::formula::Terms;
use crate::graph::ProgramGraph;
#[cfg(doc)]
use crate::graph::evidence::Argument;
use crate::invariants::Auxiliary;
use crate::stats::Statistics;

use self::search::{News, Search};

/// Bounded model checking: finds the shortest runs into error locations, and proves what has only
/// runs of bounded length.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bmc;

/// k-induction with auxiliary invariants, on top of bounded model checking.
#[derive(Clone, Copy, Debug, Default)]
pub struct KInduction {
    /// Which auxiliary invariants strengthen the step case.
    pub auxiliary: Auxiliary,
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn run(
        &self,
        terms: &Terms,
        graph: &ProgramGraph,
        control: &Control,
        stats: &mut Statistics,
    ) -> Outcome {
        Search::new(terms, graph).run(control, None, stats)
    }
}

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "kinduction"
    }

    fn run(
        &self,
        terms: &Terms,
        graph: &ProgramGraph,
        control: &Control,
        stats: &mut Statistics,
    ) -> Outcome {
        let session = crate::solver::Session::new(terms, &graph.axioms, control);
        let mut blocks = super::blocks::Blocks::new(&session, graph);
        let limit = std::time::Duration::from_secs(2);
        let start = std::time::Instant::now();
        let known = crate::invariants::auxiliary(&mut blocks, self.auxiliary, limit);
        stats.auxiliary_time += start.elapsed();
        session.take_calls(stats);
        let mut once = Some(known);
        let mut news = || match once.take() {
            Some(known) => News::More(known),
            None => News::Ended,
        };
        Search::new(terms, graph).run(control, Some(&mut news), stats)
    }
}
