//! Engines that refine: what they find out grows with the error paths that they refute, and their
//! search can pause in between. Whoever has something better to do then ([`phases`](crate::phases))
//! does it between two parts of one search.

use crate::invariants::Auxiliary;
use crate::record::{Record, Step};
use crate::task::{Outcome, Task};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::Session;

/// An engine that refines.
pub trait Refining {
    /// What it assumes at every location before the first path is looked at.
    fn auxiliary(&self) -> Auxiliary;

    /// A search that has not looked at a path yet. The session is one of the task's graph.
    fn begin<'s, 't>(
        &'s self,
        task: &'s Task<'t>,
        session: &'s Session<'t>,
        stats: &mut Statistics,
    ) -> Box<dyn Search + 's>;
}

/// The search of an engine that refines.
pub trait Search {
    /// Goes on until nothing is left to do, the run is stopped, or there were as many refinements
    /// as patience allows, if that is given. It may be called again in the last case. An error says
    /// why it ended early; what was found so far stays.
    fn go_on(&mut self, patience: Option<u64>, stats: &mut Statistics) -> Result<Advance, Reason>;

    /// Notes a step that is made around it.
    fn note(&mut self, step: Step);

    /// What was found out, after the search ended with `end`.
    fn finish(self: Box<Self>, end: Result<Advance, Reason>, stats: &mut Statistics) -> Outcome;

    /// Nothing is wanted of it any more but what it recorded.
    fn abandon(self: Box<Self>, stats: &mut Statistics) -> Vec<Record>;
}

/// How a part of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Nothing is left to do.
    Finished,
    /// There were as many refinements as patience allowed.
    OutOfPatience,
}

/// The search without a pause.
pub fn without_pause(engine: &dyn Refining, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
    let session = Session::new(task.terms, &task.graph.axioms, task.control);
    let mut search = engine.begin(task, &session, stats);
    let end = search.go_on(None, stats);
    let outcome = search.finish(end, stats);
    session.take_calls(stats);
    outcome
}
