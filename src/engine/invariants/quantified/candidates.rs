//! What may hold of all cells between two bounds.
//!
//! A loop that works its way through an array stores a value at an index that moves, or compares
//! what it finds there. With the moving variable replaced by a bound one, each such store and
//! comparison becomes a claim about cells; bounds are the program's variables and numbers.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _};
use petgraph::visit::EdgeRef as _;

use super::Quantified;
use super::instances::{indices_of, linear_in, mentions, replaced, resolved};
use crate::invariants::Known;
use crate::invariants::templates::{of_state, read_variables};
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::ProgramGraph;

/// More claims about cells than this are not tried.
const MOST_BODIES: usize = 40;

/// So many different numbers and variables are bounds at most, each kind by itself.
const MOST_BOUNDS: usize = 6;

/// The candidates: the same ones for every location. Empty if the program reads and writes no maps
/// at integer indices.
pub fn candidates(terms: &Terms, graph: &ProgramGraph, known: &Known) -> Vec<Quantified> {
    let formulas: Vec<Term> = graph
        .graph
        .edge_weights()
        .map(|edge| edge.transition.formula)
        .collect();
    let claims = claims(terms, graph, &formulas);
    let bound = terms.fresh_bound("k", Sort::Int);
    let equations: BTreeSet<Term> = known.values().flatten().copied().collect();
    let mut bodies: IndexSet<Term> = IndexSet::new();
    let mut moving: IndexSet<Term> = IndexSet::new();
    for &claim in &claims {
        for variable in index_variables(terms, claim) {
            moving.insert(variable);
            bodies.insert(replaced(terms, claim, variable, bound));
            // Variables that move along are told by the one that is replaced.
            for other in terms.free_vars(&[claim]) {
                let told = equations
                    .iter()
                    .filter_map(|&equation| resolved(terms, equation, other))
                    .filter(|&value| other != variable && mentions(terms, value, variable));
                for value in told {
                    let claim = replaced(terms, claim, other, value);
                    bodies.insert(replaced(terms, claim, variable, bound));
                }
            }
        }
    }
    bodies.truncate(MOST_BODIES);
    let ranges = ranges(terms, graph, &formulas, &moving, bound);
    let mut found = Vec::with_capacity(bodies.len() * ranges.len());
    for body in bodies {
        let indices = own_indices(terms, body, bound);
        if indices.is_empty() || matches!(terms.op(body), Op::Bool(_)) {
            continue;
        }
        found.extend(ranges.iter().map(|&range| Quantified {
            bound,
            range,
            body,
            indices: indices.clone(),
        }));
    }
    found
}

/// What the program stores and compares, as conditions on states: what happens in the middle of a
/// step is read as a condition on the values at its ends.
fn claims(terms: &Terms, graph: &ProgramGraph, formulas: &[Term]) -> IndexSet<Term> {
    let of_state = |term: Term| of_state(terms, graph, term);
    let mut found = IndexSet::new();
    let mut stored: Vec<(Term, Term)> = Vec::new();
    for term in terms.post_order(formulas) {
        match (terms.op(term), terms.args(term)) {
            (Op::Store, [map, indices @ .., value]) => {
                let read = terms.select(written(terms, *map), indices);
                let Some(claim) = of_state(terms.eq(read, *value)) else {
                    continue;
                };
                if matches!(terms.op(claim), Op::Bool(_)) {
                    continue;
                }
                found.insert(claim);
                if let (Op::Eq, &[left, right], Sort::Int) =
                    (terms.op(claim), terms.args(claim), terms.sort(*value))
                {
                    found.insert(terms.le(left, right));
                    found.insert(terms.le(right, left));
                }
                let map = of_state(read);
                for &(other, claimed) in &stored {
                    if Some(other) == map && claimed != claim {
                        found.insert(terms.or2(claimed, claim));
                    }
                }
                stored.extend(map.map(|map| (map, claim)));
            }
            (Op::Le | Op::Lt | Op::Eq, _) => {
                if let Some(claim) = of_state(term) {
                    found.insert(terms.normalised(claim));
                    found.insert(terms.normalised(terms.not(claim)));
                }
            }
            _ => {}
        }
    }
    found.retain(|&claim| !index_variables(terms, claim).is_empty());
    found
}

/// The map that a chain of writes begins with.
fn written(terms: &Terms, mut map: Term) -> Term {
    while let (Op::Store, [inner, ..]) = (terms.op(map), terms.args(map)) {
        map = *inner;
    }
    map
}

/// The integer variables in indices of a formula, where the index is linear in them.
fn index_variables(terms: &Terms, formula: Term) -> IndexSet<Term> {
    let mut found = IndexSet::new();
    for term in terms.post_order(&[formula]) {
        if !matches!(terms.op(term), Op::Select) {
            continue;
        }
        for &index in indices_of(terms, term) {
            if *terms.sort(index) != Sort::Int {
                continue;
            }
            let variables = terms.free_vars(&[index]);
            found.extend(variables.into_iter().filter(|&variable| {
                *terms.sort(variable) == Sort::Int && linear_in(terms, index, variable).is_some()
            }));
        }
    }
    found
}

/// The indices in a formula that mention the bound variable; none at all if one of them is not
/// linear in it.
fn own_indices(terms: &Terms, body: Term, bound: Term) -> Vec<Term> {
    let mut found = IndexSet::new();
    for term in terms.post_order(&[body]) {
        for &index in indices_of(terms, term) {
            if *terms.sort(index) == Sort::Int && mentions(terms, index, bound) {
                if linear_in(terms, index, bound).is_none() {
                    return Vec::new();
                }
                found.insert(index);
            }
        }
    }
    found.into_iter().collect()
}

/// `low <= bound && bound < high`: from what stays to what moves, from what moves to what stays,
/// and between what stays.
fn ranges(
    terms: &Terms,
    graph: &ProgramGraph,
    formulas: &[Term],
    moving: &IndexSet<Term>,
    bound: Term,
) -> Vec<Term> {
    let one = terms.int(1);
    let numbers = numbers(terms, formulas);
    let read: BTreeSet<Term> = read_variables(terms, graph).into_iter().collect();
    let written = graph
        .graph
        .edge_references()
        .filter(|edge| edge.source() != graph.initial && edge.target() != graph.initial);
    let written: BTreeSet<&str> = written
        .flat_map(|edge| &edge.weight().transition.changed)
        .map(|name| &**name)
        .collect();
    let is_written = |v: &Term| terms.as_var(*v).is_some_and(|v| written.contains(&*v.name));
    let variables: IndexSet<Term> = moving
        .iter()
        .copied()
        .chain(compared_with(terms, formulas, moving))
        .filter(|variable| read.contains(variable))
        .collect();
    let (mut moving, mut fixed): (Vec<Term>, Vec<Term>) =
        variables.into_iter().partition(is_written);
    moving.truncate(MOST_BOUNDS);
    fixed.truncate(MOST_BOUNDS);
    let after = |variables: &[Term]| -> Vec<Term> {
        let after = variables
            .iter()
            .map(|&variable| terms.add(&[variable, one]));
        after.collect()
    };
    let stays = [numbers, fixed.clone(), after(&fixed)].concat();
    let starts = [moving.clone(), after(&moving)].concat();
    let pairs = stays
        .iter()
        .flat_map(|&low| stays.iter().chain(&moving).map(move |&high| (low, high)))
        .chain(
            starts
                .iter()
                .flat_map(|&low| stays.iter().map(move |&high| (low, high))),
        );
    let mut found = IndexSet::new();
    for (low, high) in pairs {
        let (parts, length) = terms.linear(terms.sub(high, low));
        if !parts.is_empty() || length.is_positive() {
            found.insert(terms.and2(terms.le(low, bound), terms.lt(bound, high)));
        }
    }
    found.into_iter().collect()
}

/// The integers that the program compares values with. The limits of machine integers are no
/// bounds of arrays.
fn numbers(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let limit = BigInt::one() << 30u32;
    let mut found: IndexSet<Term> = IndexSet::from([terms.int(0), terms.int(1)]);
    for term in terms.post_order(formulas) {
        if matches!(terms.op(term), Op::Le | Op::Lt | Op::Eq) {
            found.extend(
                terms.args(term).iter().filter(
                    |&&arg| matches!(terms.op(arg), Op::Int(number) if number.abs() < limit),
                ),
            );
        }
    }
    found.into_iter().take(MOST_BOUNDS).collect()
}

/// The integer variables that are compared with others.
fn compared_with(terms: &Terms, formulas: &[Term], others: &IndexSet<Term>) -> IndexSet<Term> {
    let mut found = IndexSet::new();
    for term in terms.post_order(formulas) {
        if matches!(terms.op(term), Op::Le | Op::Lt) && !terms.has_binder(term) {
            let compared = terms.with_versions(term, |_| Version::Current);
            let compared = terms.free_vars(&[compared]);
            if compared.iter().any(|variable| others.contains(variable)) {
                let compared = compared.into_iter();
                found.extend(compared.filter(|&v| *terms.sort(v) == Sort::Int));
            }
        }
    }
    found
}
