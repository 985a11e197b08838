//! Precisions: which predicates are used where.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexSet;

use super::diagram::atoms;
use super::settings::{Predicates, Scope};
use ult_core::formula::{Op, Term, Terms};
use ult_core::graph::{LocationId, ProgramGraph};

/// A set of locations that have their predicates in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// One location.
    Location(LocationId),
    /// All locations of one procedure, under all the calls that were inlined.
    Procedure(Option<Arc<str>>),
    /// All locations of the graph.
    Everywhere,
}

impl Place {
    /// Where a predicate is used that was found at `location`.
    pub(super) fn of(scope: Scope, graph: &ProgramGraph, location: LocationId) -> Place {
        match scope {
            Scope::Location => Place::Location(location),
            Scope::Procedure => Place::Procedure(graph.graph[location].procedure.clone()),
            Scope::Global => Place::Everywhere,
        }
    }
}

/// The predicates of each place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Precision {
    places: BTreeMap<Place, IndexSet<Term>>,
}

impl Precision {
    /// The predicates of a place, in the order in which they were found.
    pub(super) fn at(&self, place: &Place) -> impl Iterator<Item = Term> + '_ {
        self.places.get(place).into_iter().flatten().copied()
    }

    /// How many predicates the place with the most of them has.
    pub(super) fn most(&self) -> usize {
        let sizes = self.places.values().map(IndexSet::len);
        sizes.max().unwrap_or(0)
    }

    /// Whether a predicate is used at a place.
    pub(super) fn has(&self, place: &Place, predicate: Term) -> bool {
        let predicates = self.places.get(place);
        predicates.is_some_and(|predicates| predicates.contains(&predicate))
    }

    /// Adds predicates.
    pub(super) fn add(&mut self, place: Place, predicates: impl IntoIterator<Item = Term>) {
        self.places.entry(place).or_default().extend(predicates);
    }

    /// Adds the predicates of another precision.
    pub(super) fn extend(&mut self, other: &Precision) {
        for (place, predicates) in &other.places {
            self.add(place.clone(), predicates.iter().copied());
        }
    }
}

/// What of an interpolant becomes a predicate: nothing of *true* and *false*.
pub(super) fn predicates(terms: &Terms, which: Predicates, interpolant: Term) -> Vec<Term> {
    match (terms.op(interpolant), which) {
        (Op::Bool(_), _) => Vec::new(),
        (_, Predicates::Whole) => vec![whole(terms, interpolant)],
        (_, Predicates::Atoms) => {
            let atoms = atoms(terms, interpolant).into_iter();
            atoms
                .filter(|&atom| !matches!(terms.op(atom), Op::Bool(_)))
                .collect()
        }
    }
}

/// An interpolant as one predicate; a negation is that of its operand.
fn whole(terms: &Terms, interpolant: Term) -> Term {
    match terms.op(interpolant) {
        Op::Not => terms.args(interpolant)[0],
        _ => interpolant,
    }
}
