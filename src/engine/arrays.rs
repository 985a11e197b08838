//! Quantified invariants: proofs about arrays of any length.
//!
//! Interpolants rarely say anything about all cells of an array. Here claims of the form
//! `forall k :: lo <= k && k < hi ==> ...` are made from the program's text, and the largest
//! inductive subset is kept ([`cells`]); if it excludes error locations, they are proved. It is
//! tried again whenever somebody has found more invariants without quantifiers, on which the
//! claims may depend.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::blocks::Blocks;
use super::{Engine, Outcome, Task};
use crate::graph::LocationId;
use crate::invariants::cells::{self, Houdini};
use crate::invariants::generator::Generator;
use crate::invariants::{Auxiliary, Cursor, Known, known};
use crate::reason::Reason;
use crate::solver::Session;
use crate::stats::Statistics;

/// One attempt takes no longer than this.
const LONGEST: Duration = Duration::from_secs(30);

/// While there is nothing to do but to wait for invariants, they are asked for this often.
const NAP: Duration = Duration::from_millis(20);

/// Candidates for invariants over all cells between two bounds, and Houdini.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrays {
    /// Which auxiliary invariants are there in the beginning.
    pub auxiliary: Auxiliary,
}

impl Engine for Arrays {
    /// Finds proofs only, no runs. Error locations that are not excluded are undecided.
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let mut outcome = Outcome::default();
        let session = Session::new(task.terms, &task.graph.axioms, task.control);
        let end = self.search(task, &session, &mut outcome, stats);
        session.take_calls(stats);
        let reason = end.err().unwrap_or_else(|| {
            Reason::Incomplete("no invariants over all cells of an array exclude it".into())
        });
        let proved: BTreeSet<LocationId> = match &outcome.invariants {
            Some(claim) => {
                let open = |error: &LocationId| !claim.exempt.contains(error);
                task.graph.errors().filter(open).collect()
            }
            None => BTreeSet::new(),
        };
        for error in task.graph.errors() {
            if !proved.contains(&error) {
                outcome.undecided.insert(error, reason.clone());
            }
        }
        outcome
    }
}

impl Arrays {
    fn search(
        &self,
        task: &Task<'_>,
        session: &Session<'_>,
        outcome: &mut Outcome,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        if cells::candidates(task.terms, task.graph, &Known::new()).is_empty() {
            return Ok(());
        }
        let mut blocks = Blocks::new(session, task.graph);
        let generator = Generator::start(task);
        let mut cursor = Cursor::default();
        let mut all = known(task, &mut blocks, self.auxiliary, stats);
        let mut news = true;
        loop {
            task.control.check()?;
            // Asked before the board is read: what is published last must not be missed.
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
                if self.attempt(task, &mut blocks, &all, outcome) {
                    break;
                }
            } else if over {
                break;
            } else {
                std::thread::sleep(NAP);
            }
        }
        generator.end(stats);
        Ok(())
    }

    /// Whether all error locations are excluded now.
    fn attempt(
        &self,
        task: &Task<'_>,
        blocks: &mut Blocks<'_, '_>,
        known: &Known,
        outcome: &mut Outcome,
    ) -> bool {
        let candidates = cells::candidates(task.terms, task.graph, known);
        let deadline = Instant::now() + LONGEST;
        let mut houdini = Houdini::new(blocks, known, &candidates, deadline);
        if houdini.settle().is_none() || houdini.left() == 0 {
            return false;
        }
        let excluded = houdini.excluded();
        let open: BTreeSet<LocationId> = task
            .graph
            .errors()
            .filter(|error| !excluded.contains_key(error))
            .collect();
        if excluded.is_empty() {
            return false;
        }
        let used = excluded.into_values().flatten().collect();
        let mut claim = crate::graph::evidence::Invariants {
            at: houdini.invariants(used),
            exempt: open.clone(),
            ..Default::default()
        };
        claim.at.retain(|&l, _| task.graph.graph[l].error.is_none());
        outcome.invariants = Some(claim);
        open.is_empty()
    }
}
