//! What engines share that find invariants and no runs: what is proved so far, and one attempt with
//! candidates about cells.

use std::collections::{BTreeMap, BTreeSet};

use crate::blocks::Blocks;
use crate::budget::Budget;
use crate::facts::enter;
use crate::invariants::quantified::{Candidates, Houdini};
use crate::invariants::{Lemmas, affine, candidates};
use crate::limits;
use crate::task::{Outcome, Task};
use ult_core::formula::Term;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::Session;

/// What is proved so far.
pub(crate) struct Proof {
    /// Inductive formulas at locations.
    pub at: BTreeMap<LocationId, Term>,
    /// The error locations that they do not exclude.
    pub open: BTreeSet<LocationId>,
}

impl Proof {
    /// Takes another proof that excludes more. Tells whether nothing is open any more.
    pub(crate) fn improve(&mut self, found: Option<Proof>) -> bool {
        if let Some(found) = found
            && found.open.len() < self.open.len()
        {
            *self = found;
        }
        self.open.is_empty()
    }
}

/// What an engine finds out that finds invariants and no runs; `otherwise` is why nothing more is
/// proved if nothing stops the search.
pub(crate) fn prove<'t>(
    task: &Task<'t>,
    stats: &mut Statistics,
    otherwise: &str,
    search: impl FnOnce(&Session<'t>, &mut Proof, &mut Statistics) -> Result<(), Reason>,
) -> Outcome {
    let session = Session::new(task.terms, &task.graph.axioms, task.control);
    let mut proof = Proof {
        at: BTreeMap::new(),
        open: task.graph.errors().collect(),
    };
    let end = search(&session, &mut proof, stats);
    session.take_calls(stats);
    let reason = end
        .err()
        .unwrap_or_else(|| Reason::Incomplete(otherwise.into()));
    let open = proof.open.into_iter();
    let mut outcome = Outcome {
        undecided: open.map(|error| (error, reason.clone())).collect(),
        ..Outcome::default()
    };
    outcome.claim(proof.at);
    outcome
}

/// What came of candidates about cells.
#[derive(Default)]
pub(crate) struct Attempt {
    /// What is proved, if anything.
    pub proof: Option<Proof>,
    /// If that is not all: invariants without quantifiers that hold because of what is left.
    pub more: Lemmas,
    /// The largest inductive subset of the candidates; `None` if the time ran out.
    pub left: Option<Candidates>,
}

/// What the largest inductive subset of candidates about cells proves, under what is known.
pub(crate) fn attempt(
    task: &Task<'_>,
    blocks: &mut Blocks<'_, '_>,
    known: &Lemmas,
    candidates: Candidates,
) -> Attempt {
    let budget = Budget::new(limits::QUANTIFIED);
    let session = blocks.session;
    let mut houdini = Houdini::new(blocks, known, candidates, budget);
    if houdini.settle().is_none() {
        return Attempt::default();
    }
    if houdini.left().values().all(Vec::is_empty) {
        return Attempt {
            left: Some(Candidates::new()),
            ..Attempt::default()
        };
    }
    let excluded = houdini.excluded();
    let is_open = |error: &LocationId| !excluded.contains_key(error);
    let open: BTreeSet<LocationId> = task.graph.errors().filter(is_open).collect();
    let more = match open.is_empty() {
        true => Lemmas::new(),
        false => under_claims(session, &houdini.strengthened(), known),
    };
    let left = Some(houdini.left().clone());
    let proof = (!excluded.is_empty()).then(|| {
        let used = excluded.into_values().flatten().collect();
        let at = houdini.invariants(used);
        Proof { at, open }
    });
    Attempt { proof, more, left }
}

/// Invariants of a graph whose steps say what is known of cells: equations, and the conditions that
/// the program makes.
fn under_claims(session: &Session<'_>, graph: &ProgramGraph, known: &Lemmas) -> Lemmas {
    let budget = Budget::new(limits::UNDER_CLAIMS);
    let mut blocks = Blocks::new(session, graph);
    let mut found = known.clone();
    for generator in [affine::equations_with_cells, candidates::surviving] {
        let more = generator(&mut blocks, &found, budget).unwrap_or_default();
        enter(&mut found, more);
    }
    found
}
