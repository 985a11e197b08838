//! What a proof says about every predicate.
//!
//! A proof has invariants where cycles are cut. Between the cuts the strongest predicates follow
//! from them: what some clause derives from the predicates before.

use std::collections::{BTreeMap, HashMap};

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use super::solve::eliminated;
use crate::formula::{BinderKind, Op, Term, Terms, Version};
use crate::graph::{LocationId, ProgramGraph};

/// Larger formulas are not put together.
const LARGEST: usize = 2000;

/// A formula for each location but the initial and the error ones, over the variables in the state
/// there, such that all of them together satisfy all edges; `at` is what a proof has. Locations for
/// which it would get too large are left out.
pub fn interpretations(
    terms: &Terms,
    graph: &ProgramGraph,
    at: &BTreeMap<LocationId, Term>,
) -> BTreeMap<LocationId, Term> {
    let mut known: BTreeMap<LocationId, Option<Term>> =
        at.iter().map(|(&l, &formula)| (l, Some(formula))).collect();
    known.entry(graph.initial).or_insert(Some(terms.tt()));
    for root in graph.graph.node_indices() {
        // What a location needs comes before it; a cycle without a cut cannot be (and gets nothing).
        let mut stack = vec![(root, false)];
        while let Some((location, entered)) = stack.pop() {
            if entered {
                let formula = derived(terms, graph, &known, location);
                known.insert(location, formula);
            } else if !known.contains_key(&location) {
                known.insert(location, None);
                stack.push((location, true));
                let sources = graph
                    .graph
                    .neighbors_directed(location, Direction::Incoming);
                stack.extend(sources.map(|source| (source, false)));
            }
        }
    }
    let errors: Vec<LocationId> = graph.errors().collect();
    known
        .into_iter()
        .filter(|(location, _)| *location != graph.initial && !errors.contains(location))
        .filter_map(|(location, formula)| Some((location, formula?)))
        .collect()
}

/// What the edges into a location derive.
fn derived(
    terms: &Terms,
    graph: &ProgramGraph,
    known: &BTreeMap<LocationId, Option<Term>>,
    location: LocationId,
) -> Option<Term> {
    let mut cases = Vec::new();
    let mut edges: Vec<_> = graph
        .graph
        .edges_directed(location, Direction::Incoming)
        .collect();
    edges.sort_by_key(|edge| edge.id());
    for edge in edges {
        let before = (*known.get(&edge.source())?)?;
        let transition = &edge.weight().transition;
        let whole = terms.and2(before, transition.formula);
        // The values before the step become auxiliaries, those after it the state's.
        let mut map = HashMap::new();
        for term in terms.free_vars(&[whole]) {
            let Some(var) = terms.as_var(term) else {
                continue;
            };
            let sort = terms.sort(term).clone();
            match var.version {
                Version::Current if transition.changed.contains(&var.name) => {
                    map.insert(term, terms.fresh_aux(var.name.clone(), sort));
                }
                Version::Next => {
                    map.insert(term, terms.current(var.name.clone(), sort));
                }
                _ => {}
            }
        }
        let is_aux = |term: Term| {
            let var = terms.as_var(term);
            var.is_some_and(|var| matches!(var.version, Version::Aux(_)))
        };
        let case = eliminated(terms, terms.substitute(whole, &map), &is_aux);
        let mut bound = Vec::new();
        let mut binding = HashMap::new();
        for term in terms.free_vars(&[case]) {
            if is_aux(term)
                && let Some(var) = terms.as_var(term)
            {
                let new = terms.fresh_bound(var.name.clone(), terms.sort(term).clone());
                bound.push(new);
                binding.insert(term, new);
            }
        }
        let case = terms.substitute(case, &binding);
        cases.push(terms.bind(BinderKind::Exists, &bound, case, &[]));
    }
    let formula = terms.or(cases);
    let fits = matches!(terms.op(formula), Op::Bool(_)) || terms.size(formula) <= LARGEST;
    fits.then_some(formula)
}
