//! Which terms and conditions of a program are worth watching.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use petgraph::algo::has_path_connecting;
use petgraph::visit::EdgeRef as _;

use super::intervals::is_scalar;
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::ProgramGraph;

/// So many terms are watched at most.
const MOST_WATCHED: usize = 64;

/// So many variables are compared with each other, each with each.
const MOST_COMPARED: usize = 8;

/// So many conditions divide states.
const MOST_CONDITIONS: usize = 4;

/// The variables of a graph that some step reads at a location where runs do not begin. Of the
/// others there is nothing to be said: what happens next does not depend on them. Large blocks
/// leave many such variables, since what is written and read inside of a block is not read from
/// outside.
pub(crate) fn read_variables(terms: &Terms, graph: &ProgramGraph) -> Vec<Term> {
    let later = graph
        .graph
        .edge_references()
        .filter(|edge| edge.source() != graph.initial)
        .map(|edge| edge.weight().transition.formula);
    let read: BTreeSet<Term> = terms
        .free_vars(&later.collect::<Vec<_>>())
        .into_iter()
        .collect();
    let variables = graph.variables.iter();
    variables
        .map(|(name, sort)| terms.current(name.clone(), sort.clone()))
        .filter(|variable| read.contains(variable))
        .collect()
}

/// The variables whose values are numbers.
pub(super) fn scalars(terms: &Terms, graph: &ProgramGraph) -> Vec<Term> {
    let mut variables = read_variables(terms, graph);
    variables.retain(|&variable| is_scalar(terms.sort(variable)));
    variables.truncate(MOST_WATCHED);
    variables
}

/// Linear forms over several numeric variables: those that the program compares with numbers, and
/// differences and sums of two variables.
pub(super) fn forms(terms: &Terms, graph: &ProgramGraph) -> Vec<Term> {
    let mut found: IndexSet<Term> = IndexSet::new();
    for condition in conditions(terms, graph) {
        if let Some(bound) = terms.as_bound(condition)
            && *terms.sort(bound.form) == Sort::Int
            && terms.as_var(bound.form).is_none()
        {
            found.insert(bound.form);
        }
    }
    let related = related(terms, graph);
    for sort in [Sort::Int, Sort::Real] {
        let mut variables = read_variables(terms, graph);
        variables.retain(|&variable| *terms.sort(variable) == sort);
        let few = variables.len() <= MOST_COMPARED;
        for (i, &x) in variables.iter().enumerate() {
            for &y in &variables[i + 1..] {
                if few || related.contains(&(x, y)) || related.contains(&(y, x)) {
                    found.insert(terms.sub(x, y));
                    found.insert(terms.add(&[x, y]));
                }
            }
        }
    }
    found.truncate(MOST_WATCHED);
    found.into_iter().collect()
}

/// Pairs of variables that occur together in a comparison.
fn related(terms: &Terms, graph: &ProgramGraph) -> BTreeSet<(Term, Term)> {
    let formulas = graph.graph.edge_weights().map(|e| e.transition.formula);
    let mut pairs = BTreeSet::new();
    for term in terms.post_order(&formulas.collect::<Vec<_>>()) {
        if matches!(terms.op(term), Op::Le | Op::Lt | Op::Eq) && !terms.has_binder(term) {
            let vars = terms.with_versions(term, |_| Version::Current);
            let vars = terms.free_vars(&[vars]);
            for &x in &vars {
                pairs.extend(vars.iter().filter(|&&y| y != x).map(|&y| (x, y)));
            }
        }
    }
    pairs
}

/// The comparisons that the program makes, as conditions on states: what it compares in the middle
/// of an edge is read as a condition on the values at its ends.
fn conditions(terms: &Terms, graph: &ProgramGraph) -> IndexSet<Term> {
    let formulas = graph.graph.edge_weights().map(|e| e.transition.formula);
    conditions_of(terms, graph, &formulas.collect::<Vec<_>>())
}

fn conditions_of(terms: &Terms, graph: &ProgramGraph, formulas: &[Term]) -> IndexSet<Term> {
    let mut found: IndexSet<Term> = IndexSet::new();
    for term in terms.post_order(formulas) {
        if !matches!(terms.op(term), Op::Le | Op::Lt) || terms.free_vars(&[term]).is_empty() {
            continue;
        }
        let Some(condition) = of_state(terms, graph, term) else {
            continue;
        };
        let condition = terms.normalised(condition);
        let negation = terms.normalised(terms.not(condition));
        if !matches!(terms.op(condition), Op::Bool(_)) && !found.contains(&negation) {
            found.insert(condition);
        }
    }
    found
}

/// A part of a transition formula as a formula about one state: all versions of its variables
/// become the current one. Nothing if it mentions anything but the graph's variables, or binds.
pub(super) fn of_state(terms: &Terms, graph: &ProgramGraph, term: Term) -> Option<Term> {
    let is_variable = |&var: &Term| {
        terms
            .as_var(var)
            .is_some_and(|v| graph.variables.get(&v.name) == Some(terms.sort(var)))
    };
    let about_states = terms.free_vars(&[term]).iter().all(is_variable);
    (about_states && !terms.has_binder(term))
        .then(|| terms.with_versions(term, |_| Version::Current))
}

/// The conditions on which it depends how loops go on: inside of them, not for leaving them.
pub(super) fn phases(terms: &Terms, graph: &ProgramGraph) -> Vec<Term> {
    let on_cycle = graph
        .graph
        .edge_references()
        .filter(|edge| has_path_connecting(&graph.graph, edge.target(), edge.source(), None))
        .map(|edge| edge.weight().transition.formula);
    let conditions = conditions_of(terms, graph, &on_cycle.collect::<Vec<_>>());
    conditions.into_iter().take(MOST_CONDITIONS).collect()
}
