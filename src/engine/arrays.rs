//! Quantified invariants: proofs about arrays of any length.
//!
//! Interpolants rarely say anything about all cells of an array. Here claims of the form
//! `forall k :: lo <= k && k < hi ==> ...` are made from the program's text, and the largest
//! inductive subset is kept ([`quantified`]); if it excludes error locations, they are proved. It is
//! tried again whenever somebody has found more invariants without quantifiers, on which the
//! claims may depend.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use crate::blocks::Blocks;
use crate::invariants::generator::Generator;
use crate::invariants::quantified::{self, Houdini};
use crate::invariants::{Auxiliary, Cursor, Known, known};
use crate::limits;
use crate::task::{Engine, Outcome, Task};
use ult_core::formula::Term;
use ult_core::graph::LocationId;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::Session;

/// Candidates for invariants over all cells between two bounds, and Houdini.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrays {
    /// Which auxiliary invariants are there in the beginning.
    pub auxiliary: Auxiliary,
}

impl Engine for Arrays {
    /// Finds proofs only, no runs. Error locations that are not excluded are undecided.
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let session = Session::new(task.terms, &task.graph.axioms, task.control);
        let mut proof = Proof {
            at: BTreeMap::new(),
            open: task.graph.errors().collect(),
        };
        let end = self.search(task, &session, &mut proof, stats);
        session.take_calls(stats);
        let reason = end.err().unwrap_or_else(|| {
            Reason::Incomplete("no invariants over all cells of an array exclude it".into())
        });
        let mut outcome = Outcome::default();
        let open = proof.open.into_iter();
        outcome.undecided = open.map(|error| (error, reason.clone())).collect();
        outcome.claim(proof.at);
        outcome
    }
}

/// What is proved so far.
struct Proof {
    /// Inductive formulas at locations.
    at: BTreeMap<LocationId, Term>,
    /// The error locations that they do not exclude.
    open: BTreeSet<LocationId>,
}

impl Arrays {
    fn search(
        &self,
        task: &Task<'_>,
        session: &Session<'_>,
        proof: &mut Proof,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        if quantified::candidates(task.terms, task.graph, &Known::new()).is_empty() {
            return Ok(());
        }
        let mut blocks = Blocks::new(session, task.graph);
        let generator = Generator::start(task);
        let mut cursor = Cursor::default();
        let mut all = known(task, &mut blocks, self.auxiliary, stats);
        let mut news = true;
        loop {
            task.control.check()?;
            // Asked before the pool is read: what is published last must not be missed.
            let over = generator.is_over();
            for (location, formulas) in task.facts.since(task.terms, &mut cursor) {
                let known = all.entry(location).or_default();
                for formula in formulas {
                    if !known.contains(&formula) {
                        known.push(formula);
                        news = true;
                    }
                }
            }
            if news {
                news = false;
                if let Some(found) = attempt(task, &mut blocks, &all)
                    && found.open.len() < proof.open.len()
                {
                    *proof = found;
                }
                if proof.open.is_empty() {
                    break;
                }
            } else if over {
                break;
            } else {
                std::thread::sleep(limits::NAP_CELLS);
            }
        }
        generator.end(stats);
        Ok(())
    }
}

/// What can be proved with the help of the invariants that are known; nothing if no candidate is
/// inductive, or if it takes too long.
fn attempt(task: &Task<'_>, blocks: &mut Blocks<'_, '_>, known: &Known) -> Option<Proof> {
    let candidates = quantified::candidates(task.terms, task.graph, known);
    let deadline = Instant::now() + limits::QUANTIFIED;
    let mut houdini = Houdini::new(blocks, known, &candidates, deadline);
    houdini.settle()?;
    if houdini.left() == 0 {
        return None;
    }
    let excluded = houdini.excluded();
    if excluded.is_empty() {
        return None;
    }
    let is_open = |error: &LocationId| !excluded.contains_key(error);
    let open = task.graph.errors().filter(is_open).collect();
    let used = excluded.into_values().flatten().collect();
    Some(Proof {
        at: houdini.invariants(used),
        open,
    })
}
