//! Quantified invariants: proofs about arrays of any length.
//!
//! Interpolants rarely say anything about all cells of an array. Here claims of the form
//! `forall k :: lo <= k && k < hi ==> ...` are made from the program's text, and the largest
//! inductive subset is kept ([`quantified`]); if it excludes error locations, they are proved. It is
//! tried again whenever somebody has found more invariants without quantifiers, on which the
//! claims may depend.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;

use crate::blocks::Blocks;
use crate::execute::Observed;
use crate::invariants::generator::Generator;
use crate::invariants::quantified::{self, Houdini, Quantified};
use crate::invariants::{Auxiliary, Cursor, Known, known};
use crate::limits;
use crate::task::{Engine, Outcome, Task};
use ult_core::formula::{Term, Terms};
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
        let mut observed = Observed::of(task, stats);
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
                if let Some(found) = attempt(task, &mut blocks, &all, observed.as_ref())
                    && found.open.len() < proof.open.len()
                {
                    *proof = found;
                }
                if proof.open.is_empty() {
                    break;
                }
                // A long run costs more than an attempt with what short ones tell.
                news = observed.as_mut().is_some_and(|o| o.go_on(stats));
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
fn attempt(
    task: &Task<'_>,
    blocks: &mut Blocks<'_, '_>,
    known: &Known,
    observed: Option<&Observed<'_>>,
) -> Option<Proof> {
    let all = quantified::candidates(task.terms, task.graph, known);
    let deadline = Instant::now() + limits::QUANTIFIED;
    let is_inner = |&place: &LocationId| {
        place != task.graph.initial && task.graph.graph[place].error.is_none()
    };
    let places = task.graph.graph.node_indices().filter(is_inner);
    let candidates = places.map(|place| (place, plausible(task.terms, &all, place, observed)));
    let mut houdini = Houdini::new(blocks, known, candidates.collect(), deadline);
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

/// The candidates that no observed state contradicts, without those that speak of no cells in any
/// of them.
fn plausible(
    terms: &Terms,
    all: &[Quantified],
    place: LocationId,
    observed: Option<&Observed<'_>>,
) -> Vec<Quantified> {
    let Some(observed) = observed.filter(|observed| observed.states(place) > 0) else {
        return all.to_vec();
    };
    let mut kept = Vec::new();
    for group in all.chunk_by(|a, b| a.bound() == b.bound()) {
        let Some(first) = group.first() else {
            continue;
        };
        let probes: IndexSet<Term> = group.iter().flat_map(|about| about.limits(terms)).collect();
        let formulas: IndexSet<Term> = (group.iter())
            .flat_map(|about| [about.range(), about.body()])
            .collect();
        let probes: Vec<Term> = probes.into_iter().collect();
        let formulas: Vec<Term> = formulas.into_iter().collect();
        let Some(table) = observed.table(place, &formulas, first.bound(), &probes) else {
            kept.extend(group.iter().cloned());
            continue;
        };
        let table: HashMap<Term, FixedBitSet> = formulas.into_iter().zip(table).collect();
        let fits = |about: &&Quantified| {
            let range = &table[&about.range()];
            !range.is_clear() && range.is_subset(&table[&about.body()])
        };
        kept.extend(group.iter().filter(fits).cloned());
    }
    kept
}
