//! Quantified invariants: proofs about arrays of any length.
//!
//! Interpolants rarely say anything about all cells of an array. Here claims of the form
//! `forall k :: lo <= k && k < hi ==> ...` are made from the program's text, and the largest
//! inductive subset is kept ([`quantified`]); if it excludes error locations, they are proved. What
//! states contradict that runs go through ([`Observed`]) is not asked about. It is tried again
//! whenever somebody has found more invariants without quantifiers, on which the claims may depend:
//! others, or this engine itself, from what the claims say of the cells that steps read.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;

use crate::blocks::Blocks;
use crate::execute::Observed;
use crate::facts::enter;
use crate::inductive::{Proof, attempt, prove};
use crate::invariants::generator::Generator;
use crate::invariants::quantified::{self, Candidates, Quantified};
use crate::invariants::{Auxiliary, Cursor, Lemmas, known};
use crate::limits;
use crate::task::{Engine, Outcome, Task};
use crate::thread::Rank;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::LocationId;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::Session;

/// So many states are kept of one location.
const MOST_STATES: usize = 40;

/// Candidates for invariants over all cells between two bounds, and Houdini.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrays {
    /// Which auxiliary invariants are there in the beginning.
    pub auxiliary: Auxiliary,
}

impl Engine for Arrays {
    /// Finds proofs only, no runs. Error locations that are not excluded are undecided.
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let otherwise = "no invariants over all cells of an array exclude it";
        prove(task, stats, otherwise, |session, proof, stats| {
            self.search(task, session, proof, stats)
        })
    }
}

impl Arrays {
    fn search(
        &self,
        task: &Task<'_>,
        session: &Session<'_>,
        proof: &mut Proof,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        let Some(mut guesses) = Guesses::new(task, stats) else {
            return Ok(());
        };
        let mut blocks = Blocks::new(session, task.graph);
        let generator = Generator::start(task, Rank::First);
        let mut cursor = Cursor::default();
        let mut all = known(task, &mut blocks, self.auxiliary, stats);
        let mut news = true;
        loop {
            task.control.check()?;
            // Asked before the pool is read: what is published last must not be missed.
            let over = generator.is_over();
            news |= enter(&mut all, task.facts.since(task.terms, &mut cursor));
            if news {
                let candidates = guesses.plausible(task, &all).clone();
                let found = attempt(task, &mut blocks, &all, candidates);
                if proof.improve(found.proof) {
                    break;
                }
                news = enter(&mut all, found.more);
                // A long run costs more than an attempt with what short ones tell.
                if !news && let Some(observed) = &mut guesses.observed {
                    news = observed.go_on(stats);
                    guesses.all.clear();
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

/// The candidates, without those that observed states contradict.
struct Guesses<'t> {
    observed: Option<Observed<'t>>,
    bound: [Term; 2],
    /// The candidates as they were when they were last compared with states.
    all: Vec<Quantified>,
    plausible: Candidates,
}

impl<'t> Guesses<'t> {
    /// Nothing if there is nothing to be guessed.
    fn new(task: &Task<'t>, stats: &mut Statistics) -> Option<Guesses<'t>> {
        let bound = [0, 1].map(|_| task.terms.fresh_bound("k", Sort::Int));
        if quantified::candidates(task.terms, task.graph, &Lemmas::new(), bound, task.control)
            .is_empty()
        {
            return None;
        }
        Some(Guesses {
            observed: Observed::of(task, MOST_STATES, stats),
            bound,
            all: Vec::new(),
            plausible: Candidates::new(),
        })
    }

    /// The candidates, given what is known.
    fn plausible(&mut self, task: &Task<'_>, known: &Lemmas) -> &Candidates {
        let all = quantified::candidates(task.terms, task.graph, known, self.bound, task.control);
        if all != self.all {
            let is_inner = |&place: &LocationId| {
                place != task.graph.initial && task.graph.graph[place].error.is_none()
            };
            let places = task.graph.graph.node_indices().filter(is_inner);
            let observed = self.observed.as_ref();
            self.plausible = places
                .map(|place| (place, plausible(task.terms, &all, place, observed)))
                .collect();
            self.all = all;
        }
        &self.plausible
    }
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
        let ranges: IndexSet<Term> = group.iter().map(Quantified::range).collect();
        let probes: IndexSet<Term> = (ranges.iter())
            .flat_map(|&range| quantified::limits(terms, range, first.bound()))
            .collect();
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
