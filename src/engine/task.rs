//! What an engine is asked, and what it answers.

use std::collections::BTreeMap;

pub use ult_check::Claims;

use crate::facts::Facts;
use crate::record::{Record, Scene};
use ult_core::control::Control;
use ult_core::formula::{Term, Terms};
use ult_core::graph::evidence::{Invariants, Run};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_reduce::{Reduced, WayBack};

/// What an engine found out. None of it is a verdict before the checker confirmed it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// For each error location that was reached, a claimed run that ends there.
    pub runs: BTreeMap<LocationId, Run>,
    /// Claimed invariants that exclude all error locations but those exempt (the ones with runs,
    /// and the undecided ones).
    pub invariants: Option<Invariants>,
    /// Error locations left undecided, and why.
    pub undecided: BTreeMap<LocationId, Reason>,
    /// Claims about the graph as it was before the reductions: they need no way back.
    pub original: Claims,
    /// How the engine came to it, if that was wanted and the engine is one that refines.
    pub records: Vec<Record>,
}

impl Outcome {
    /// What it says about a reduced graph, as claims about the graph before the reductions.
    pub(crate) fn taken_back(&self, terms: &Terms, back: &dyn WayBack) -> Claims {
        let undecided = self.undecided.iter();
        let mut original = Claims {
            runs: BTreeMap::new(),
            invariants: (self.invariants.as_ref()).map(|claim| back.invariants(terms, claim)),
            undecided: undecided
                .map(|(&error, reason)| (back.location(error), reason.clone()))
                .collect(),
        };
        for (&error, run) in &self.runs {
            let error = back.location(error);
            match back.run(terms, run.clone()) {
                Ok(run) => {
                    original.runs.insert(error, run);
                }
                Err(why) => {
                    original.undecided.insert(error, Reason::RunRejected(why));
                }
            }
        }
        original
    }

    /// Claims state formulas at locations as invariants that exclude all error locations but those
    /// with runs and the undecided ones.
    pub fn claim(&mut self, at: BTreeMap<LocationId, Term>) {
        let exempt = self.runs.keys().chain(self.undecided.keys());
        self.invariants = Some(Invariants {
            at,
            exempt: exempt.copied().collect(),
            ..Invariants::default()
        });
    }
}

/// What an engine is to decide: the error locations of a graph.
///
/// Each edge of the graph is a block: what the block operator makes of the program is decided
/// before, by a reduction. That is possible since strongest postconditions are made by syntax
/// alone and block operators look at locations only. Every cycle is cut by its locations.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The store of the graph's terms.
    pub terms: &'a Terms,
    /// The graph.
    pub graph: &'a ProgramGraph,
    /// The graph as it was before the reductions, in small steps.
    pub original: &'a ProgramGraph,
    /// Which locations of that graph those of the reduced one stand for.
    pub places: &'a BTreeMap<LocationId, LocationId>,
    /// When to stop.
    pub control: &'a Control,
    /// Invariants of the graph that others found, and where to put one's own.
    pub facts: &'a Facts,
}

/// Of a graph that was not reduced: nothing is said about where its locations come from.
pub(crate) const NOWHERE: &BTreeMap<LocationId, LocationId> = &BTreeMap::new();

impl<'a> Task<'a> {
    /// What the steps of a search are about.
    pub(crate) fn scene(&self) -> Scene<'a> {
        Scene {
            terms: self.terms,
            graph: self.graph,
            places: self.places,
        }
    }

    /// All error locations of a graph that was not reduced.
    pub fn of_graph(
        terms: &'a Terms,
        graph: &'a ProgramGraph,
        control: &'a Control,
        facts: &'a Facts,
    ) -> Task<'a> {
        Task {
            terms,
            graph,
            original: graph,
            places: NOWHERE,
            control,
            facts,
        }
    }
}

/// The same reason for all error locations of a graph.
pub(crate) fn all_undecided(graph: &ProgramGraph, reason: &Reason) -> BTreeMap<LocationId, Reason> {
    let errors = graph.errors();
    errors.map(|error| (error, reason.clone())).collect()
}

/// Which locations of the graph before reductions those of the graph behind them stand for.
pub(crate) fn original_locations(reduced: &Reduced) -> BTreeMap<LocationId, LocationId> {
    let places = reduced.graph.graph.node_indices();
    places
        .map(|place| (place, reduced.back.location(place)))
        .collect()
}

/// A way to decide program graphs.
pub trait Engine {
    /// Decides the error locations of the graph as far as it can before `control` stops it. Never
    /// panics on a well-formed graph; whatever goes wrong is a reason in the outcome.
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome;
}
