//! The reachability core: predicate abstraction, IMPACT, and what lies between them.
//!
//! After Wendler, "Towards Practical Predicate Analysis" (PhD thesis, Passau 2017), chapters 4 and
//! 5: a tree of abstract states is unwound from the program graph; a path to an error location
//! that is infeasible refines the abstraction by interpolants (CEGAR). Predicate abstraction and
//! IMPACT are two [`Settings`] of one algorithm.
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

use self::search::{Progress, Search};
use crate::blocks::Blocks;
use crate::invariants::{Auxiliary, known};
use crate::phases::{self, PATIENCE};
use crate::record::Step;
use crate::task::{Engine, Outcome, Task};
use ult_core::stats::Statistics;
use ult_smt::Session;

/// Predicate abstraction (thesis, section 5.2.3): abstract states are Boolean combinations of
/// predicates, found by refinement.
#[derive(Clone, Debug)]
pub struct PredicateAbstraction {
    /// Its settings; [`Settings::predicate_abstraction`] are the usual ones.
    pub settings: Settings,
}

impl Default for PredicateAbstraction {
    fn default() -> PredicateAbstraction {
        PredicateAbstraction {
            settings: Settings::predicate_abstraction(),
        }
    }
}

/// IMPACT (McMillan, "Lazy abstraction with interpolants", CAV 2006; thesis, section 5.2.4):
/// abstract states are strengthened by interpolants directly.
#[derive(Clone, Debug)]
pub struct Impact {
    /// Its settings; [`Settings::impact`] are the usual ones.
    pub settings: Settings,
}

impl Default for Impact {
    fn default() -> Impact {
        Impact {
            settings: Settings::impact(),
        }
    }
}

impl Engine for PredicateAbstraction {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        run(&self.settings, task, stats)
    }
}

impl Engine for Impact {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        run(&self.settings, task, stats)
    }
}

/// The reachability core with any settings.
pub fn run(settings: &Settings, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
    let patience = (settings.auxiliary != Auxiliary::None).then_some(PATIENCE);
    search(settings, task, stats, patience)
}

/// The search. After `patience` refinements, if given, the graph gets a second look; if that does
/// not decide everything, the search goes on where it was.
fn search(
    settings: &Settings,
    task: &Task<'_>,
    stats: &mut Statistics,
    patience: Option<u64>,
) -> Outcome {
    let session = Session::new(task.terms, &task.graph.axioms, task.control);
    let mut blocks = Blocks::new(&session, task.graph);
    let known = known(task, &mut blocks, settings.auxiliary, stats);
    let mut state = Search::new(settings, task, &session, blocks, known);
    let mut end = state.explore(patience);
    if let Ok(Progress::OutOfPatience) = end {
        let second = phases::second_look(task, |split| search(settings, split, stats, None));
        let decided = second.is_some();
        state.recorder.note(|| Step::SecondLook { decided });
        if let Some(mut outcome) = second {
            session.take_calls(stats);
            stats.add(&state.stats);
            outcome
                .records
                .splice(0..0, std::mem::take(&mut state.recorder).finish());
            return outcome;
        }
        end = state.explore(None);
    }
    let (outcome, counted) = state.finish(end);
    session.take_calls(stats);
    stats.add(&counted);
    outcome
}
