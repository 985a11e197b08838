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
//! * [`backward`]: the step case of k-induction. Whether `k` segments in a row, from anywhere, may
//!   end in an error location, given the auxiliary invariants known so far.
//!
//! For each error location: a run; or an argument that the checker confirms
//! ([`Argument`]); or neither.

pub mod backward;
pub mod forward;
mod layers;
mod needed;
mod search;
#[cfg(test)]
mod tests;

use crate::invariants::generator::Generator;
use crate::invariants::{Auxiliary, Cursor};
use crate::task::{Engine, Outcome, Task};
use crate::thread::Rank;
#[cfg(doc)]
use ult_core::graph::evidence::Argument;
use ult_core::stats::Statistics;

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
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        Search::new(task).run(task.control, None, stats)
    }
}

impl Engine for KInduction {
    /// What others publish is used as it arrives, unless no auxiliary invariants are wanted. If
    /// nobody does, a generator works on a thread of its own meanwhile.
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        if self.auxiliary == Auxiliary::None {
            let mut nothing = || News::Ended;
            return Search::new(task).run(task.control, Some(&mut nothing), stats);
        }
        let generator = Generator::start(task, Rank::Second);
        let mut cursor = Cursor::default();
        let mut news = || {
            // Asked before the pool is read: what is published last must not be missed.
            let over = generator.is_over();
            let known = task.facts.since(task.terms, &mut cursor);
            match (known.is_empty(), over) {
                (false, _) => News::More(known),
                (true, false) => News::NothingYet,
                (true, true) => News::Ended,
            }
        };
        let outcome = Search::new(task).run(task.control, Some(&mut news), stats);
        generator.end(stats);
        outcome
    }
}
