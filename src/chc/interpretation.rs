//! What a proof says about every predicate.
//!
//! A proof has invariants where cycles are cut. Between the cuts the strongest predicates follow
//! from them: what some clause derives from the predicates before.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use super::solve::eliminated;
use ult_core::formula::{BinderKind, Op, Term, Terms, Version};
use ult_core::graph::{LocationId, ProgramGraph};

/// Larger formulas are not put together.
const LARGEST: usize = 2000;

/// Which variables matter at a location: those that hold the arguments of its predicate.
pub type Arguments = BTreeMap<LocationId, BTreeSet<Arc<str>>>;

/// A formula for each location with arguments, over them, such that all of them together satisfy
/// all edges; `at` is what a proof has. Locations for which it would get too large are left out.
pub fn interpretations(
    terms: &Terms,
    graph: &ProgramGraph,
    arguments: &Arguments,
    at: &BTreeMap<LocationId, Term>,
) -> BTreeMap<LocationId, Term> {
    let about = |location: LocationId, formula: Term| match arguments.get(&location) {
        Some(arguments) => projected(terms, graph, arguments, formula),
        None => formula,
    };
    let mut known: BTreeMap<LocationId, Option<Term>> = at
        .iter()
        .map(|(&location, &formula)| (location, Some(about(location, formula))))
        .collect();
    known.entry(graph.initial).or_insert(Some(terms.tt()));
    // What edges with premises derive depends on more than their sources.
    let derived_from = match graph.has_premises() {
        true => Vec::new(),
        false => graph.graph.node_indices().collect(),
    };
    for root in derived_from {
        // What a location needs comes before it; a cycle without a cut cannot be (and gets nothing).
        let mut stack = vec![(root, false)];
        while let Some((location, entered)) = stack.pop() {
            if entered {
                let formula = derived(terms, graph, &known, location);
                let formula = formula
                    .map(|formula| about(location, formula))
                    .filter(|&formula| {
                        matches!(terms.op(formula), Op::Bool(_)) || terms.size(formula) <= LARGEST
                    });
                known.insert(location, formula);
            } else if let Entry::Vacant(unknown) = known.entry(location) {
                unknown.insert(None);
                stack.push((location, true));
                let sources = graph
                    .graph
                    .neighbors_directed(location, Direction::Incoming);
                stack.extend(sources.map(|source| (source, false)));
            }
        }
    }
    known
        .into_iter()
        .filter(|(location, _)| arguments.contains_key(location))
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
                    let name = before_name(graph, &var.name);
                    map.insert(term, terms.fresh_aux(name, sort));
                }
                Version::Next => {
                    map.insert(term, terms.current(var.name.clone(), sort));
                }
                _ => {}
            }
        }
        cases.push(terms.substitute(whole, &map));
    }
    Some(terms.or(cases))
}

/// The strongest formula about some variables only.
fn projected(
    terms: &Terms,
    graph: &ProgramGraph,
    arguments: &BTreeSet<Arc<str>>,
    formula: Term,
) -> Term {
    let cases = terms.disjuncts(formula).into_iter().map(|case| {
        let mut map = HashMap::new();
        for term in terms.free_vars(&[case]) {
            if let Some(var) = terms.as_var(term)
                && var.version == Version::Current
                && !arguments.contains(&var.name)
            {
                let name = before_name(graph, &var.name);
                map.insert(term, terms.fresh_aux(name, terms.sort(term).clone()));
            }
        }
        let is_aux = |term: Term| {
            let var = terms.as_var(term);
            var.is_some_and(|var| matches!(var.version, Version::Aux(_)))
        };
        let case = eliminated(terms, terms.substitute(case, &map), &is_aux);
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
        terms.bind(BinderKind::Exists, &bound, case, &[])
    });
    terms.or(cases.collect::<Vec<_>>())
}

/// A name for the value of a variable before a step that is no variable's.
fn before_name(graph: &ProgramGraph, name: &str) -> String {
    let mut name = format!("{name}0");
    while graph.variables.contains_key(&*name) {
        name.push('0');
    }
    name
}
