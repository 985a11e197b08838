//! What may hold of all cells between bounds.
//!
//! A loop that works its way through an array stores a value at an index that moves, or compares
//! what it finds there. With what moves replaced by bound variables, each such store and comparison
//! becomes a claim about cells ([`bodies`](super::bodies)); bounds are what else moves, and what
//! that is compared with ([`ranges`](super::ranges)).

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::Quantified;
use super::bodies::{Body, Maker};
use super::claims::{claims, index_variables};
use super::instances::accesses;
use super::ranges::{Bounds, between};
use crate::invariants::Lemmas;
use ult_core::control::Control;
use ult_core::formula::{Term, Terms};
use ult_core::graph::ProgramGraph;

/// More claims about cells than this are not tried.
const MOST_BODIES: usize = 80;

/// So many ranges for one claim.
const MOST_RANGES: usize = 250;

/// The candidates: the same ones for every location. Empty if the program reads and writes no maps
/// at integer indices; fewer if the time is over.
///
/// `bound` are the two variables that are bound in them.
pub fn candidates(
    terms: &Terms,
    graph: &ProgramGraph,
    known: &Lemmas,
    bound: [Term; 2],
    control: &Control,
) -> Vec<Quantified> {
    let claims = claims(terms, graph);
    let bounds = Bounds::of(terms, graph);
    let equations: BTreeSet<Term> = known.values().flatten().copied().collect();
    let moving: IndexSet<Term> = (claims.iter())
        .flat_map(|&claim| index_variables(terms, claim))
        .collect();
    let indices: IndexSet<Vec<Term>> = (claims.iter())
        .flat_map(|&claim| accesses(terms, claim))
        .collect();
    let maker = Maker {
        terms,
        bounds: &bounds,
        bound,
        equations: &equations,
        variables: &bounds.compared(&moving),
        indices: &indices,
    };
    let mut bodies: Vec<Body> = Vec::new();
    for claim in claims {
        if bodies.len() == MOST_BODIES || control.check().is_err() {
            break;
        }
        for body in maker.bodies(claim) {
            if bodies.len() < MOST_BODIES && !bodies.contains(&body) {
                bodies.push(body);
            }
        }
    }
    bodies.sort_by_key(|body| body.axes.len());
    let mut found = Vec::new();
    for body in bodies {
        let bound: Vec<Term> = body.axes.iter().map(|axis| axis.bound).collect();
        let ranges = ranges(terms, &body).into_iter().take(MOST_RANGES);
        found.extend(ranges.map(|range| Quantified {
            bound: bound.clone(),
            range,
            body: body.formula,
            accesses: body.accesses.clone(),
        }));
    }
    found
}

fn ranges(terms: &Terms, body: &Body) -> IndexSet<Term> {
    match &body.axes[..] {
        [axis] => axis.ranges(terms),
        [_, _] if body.accesses.iter().any(|access| access.len() == 2) => in_rows(terms, body),
        [_, _] => of_pairs(terms, body),
        _ => IndexSet::new(),
    }
}

/// Rows of cells with two indices: whole ones, and the beginning of one more.
fn in_rows(terms: &Terms, body: &Body) -> IndexSet<Term> {
    let mut found = IndexSet::new();
    for (outer, inner) in [(0, 1), (1, 0)] {
        let (outer, inner) = (&body.axes[outer], &body.axes[inner]);
        let (at, next) = (outer.moving[0], inner.moving[0]);
        let ends: Vec<Term> = [at]
            .into_iter()
            .chain(outer.staying.iter().copied())
            .collect();
        for columns in inner.prefixes(terms, &inner.staying) {
            for rows in outer.prefixes(terms, &ends) {
                found.insert(terms.and2(rows, columns));
            }
            for &low in &outer.staying[..2] {
                let begun = terms.and2(terms.eq(outer.bound, at), terms.lt(inner.bound, next));
                let done = terms.or2(terms.lt(outer.bound, at), begun);
                found.insert(terms.and([terms.le(low, outer.bound), done, columns]));
            }
        }
    }
    found
}

/// Pairs of cells in order: of the same part, or the first in one and the second in another.
fn of_pairs(terms: &Terms, body: &Body) -> IndexSet<Term> {
    let mut found = IndexSet::new();
    for (first, second) in [(0, 1), (1, 0)] {
        let (first, second) = (&body.axes[first], &body.axes[second]);
        let ordered = terms.lt(first.bound, second.bound);
        let ends = || first.moving.iter().chain(&first.staying).copied();
        for high in ends() {
            for &low in first.staying[..2].iter().chain(&first.moving) {
                let both = between(terms, low, first.bound, second.bound, high);
                found.extend(both.map(|both| terms.and2(both, ordered)));
            }
            for &middle in &first.moving {
                for &low in &first.staying[..2] {
                    let before =
                        terms.and2(terms.le(low, first.bound), terms.lt(first.bound, middle));
                    let end = terms.lt(second.bound, high);
                    let behind = terms.le(middle, second.bound);
                    found.insert(terms.and([before, ordered, end]));
                    found.insert(terms.and([before, behind, end]));
                }
            }
        }
    }
    found
}
