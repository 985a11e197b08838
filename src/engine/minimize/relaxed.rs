//! What is asserted, with another variable in the place of one of its own: in the middle of a loop, it is said of less.

use std::collections::HashMap;

use indexmap::IndexSet;
use petgraph::Direction;

use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::ProgramGraph;

/// Larger assertions are no short formulas.
const LARGEST: usize = 60;

/// So many formulas are made.
const MOST: usize = 40;

/// The conjuncts of assertions, as they are and with one variable replaced by another of the same sort.
pub(super) fn assertions(terms: &Terms, graph: &ProgramGraph, variables: &[Term]) -> Vec<Term> {
    let incoming =
        (graph.errors()).flat_map(|error| graph.graph.edges_directed(error, Direction::Incoming));
    let mut found: IndexSet<Term> = IndexSet::new();
    for edge in incoming {
        let asserted = terms.not(edge.weight().transition.formula);
        for part in terms.conjuncts(asserted) {
            if terms.size(part) <= LARGEST && is_of_state(terms, part) {
                found.insert(part);
            }
        }
    }
    let plain: Vec<Term> = found.iter().copied().collect();
    for part in plain {
        for own in terms.free_vars(&[part]) {
            for &other in variables {
                if other != own && terms.sort(other) == terms.sort(own) {
                    found.insert(terms.substitute(part, &HashMap::from([(own, other)])));
                }
            }
        }
    }
    found.truncate(MOST);
    found
        .into_iter()
        .filter(|&part| part != terms.tt())
        .collect()
}

/// Whether only values before a step occur.
fn is_of_state(terms: &Terms, formula: Term) -> bool {
    let vars = terms.free_vars(&[formula]);
    let is_current = |&var: &Term| {
        terms
            .as_var(var)
            .is_some_and(|var| var.version == Version::Current)
    };
    !vars.is_empty() && vars.iter().all(is_current)
}
