//! The reachability core: predicate abstraction, IMPACT, and what lies between them.
//!
//! After Wendler, "Towards Practical Predicate Analysis" (PhD thesis, Passau 2017), chapters 4 and
//! 5: a tree of abstract states is unwound from the program graph; a path to an error location
//! that is infeasible refines the abstraction by interpolants (CEGAR). Predicate abstraction and
//! IMPACT are two [`Settings`] of one algorithm, and settings are an engine.
//!
//! The thesis' block operator is a reduction here (`ult_reduce`): its strongest postcondition
//! is syntactic and the operator looks at locations only, so blocks can be built beforehand. Each
//! edge of the graph is one block, so every node is an abstraction state, and neither path
//! formulas nor merging exist at run time.
//!
//! | file | idea |
//! |---|---|
//! | [`settings`] | what can be chosen |
//! | `part` | single choices by name |
//! | `arg` | the tree, covering, the waitlist |
//! | `state` | abstract states: formulas or binary decision diagrams |
//! | `diagram` | the diagrams, over atoms of formulas |
//! | `precision` | which predicates are used where |
//! | `posts` | abstract successors: Cartesian and Boolean abstraction |
//! | `entail` | covering as a question to the solver |
//! | `search` | the loop: `expand`, `cover`, and how it ends |
//! | `force` | `force_cover` |
//! | `refine` | what an error path changes |
//! | `claim` | the result as invariants |
//!
//! Where the thesis is not followed to the letter:
//!
//! * All successors of a node are made before one at an error location is examined, and a node
//!   whose children were removed goes back to the waitlist only where the removal does not prove
//!   that they are not needed, so no successor is ever forgotten.
//! * Predicates are tested both ways: a Cartesian abstraction has negated predicates, too.
//! * An edge into an error location is always checked by the solver, and so are the edges of an
//!   error path before its path formula: an error path with an infeasible edge needs no
//!   interpolants.
//! * The nodes' states are part of the path formula that is interpolated, so that interpolants say
//!   only what is not known already.

mod arg;
mod claim;
mod diagram;
mod entail;
mod force;
mod part;
mod posts;
mod precision;
mod refine;
mod search;
pub mod settings;
mod state;
#[cfg(test)]
mod tests;

pub use part::Part;
pub use settings::Settings;

use self::search::Search;
use crate::blocks::Blocks;
use crate::invariants::{Auxiliary, known};
use crate::record::{Record, Step};
use crate::refining::{self, Advance, Refining, without_pause};
use crate::task::{Engine, Outcome, Task};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::Session;

impl Engine for Settings {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        without_pause(self, task, stats)
    }
}

impl Refining for Settings {
    fn auxiliary(&self) -> Auxiliary {
        self.auxiliary
    }

    fn begin<'s, 't>(
        &'s self,
        task: &'s Task<'t>,
        session: &'s Session<'t>,
        stats: &mut Statistics,
    ) -> Box<dyn refining::Search + 's> {
        let mut blocks = Blocks::new(session, task.graph);
        let known = known(task, &mut blocks, self.auxiliary, stats);
        Box::new(Search::new(self, task, session, blocks, known))
    }
}

impl refining::Search for Search<'_, '_> {
    fn go_on(&mut self, patience: Option<u64>, _: &mut Statistics) -> Result<Advance, Reason> {
        self.explore(patience)
    }

    fn note(&mut self, step: Step) {
        self.recorder.note(|| step);
    }

    fn finish(
        mut self: Box<Self>,
        end: Result<Advance, Reason>,
        stats: &mut Statistics,
    ) -> Outcome {
        let counted = std::mem::take(&mut self.stats);
        let outcome = claim::outcome(*self, end.err());
        stats.add(&counted);
        outcome
    }

    fn abandon(self: Box<Self>, stats: &mut Statistics) -> Vec<Record> {
        stats.add(&self.stats);
        self.recorder.finish()
    }
}
