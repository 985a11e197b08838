//! What the tree proves.

use std::collections::{BTreeMap, BTreeSet};

use super::search::Search;
use super::state::State;
use crate::record::Step;
use crate::task::Outcome;
use ult_core::formula::Term;
use ult_core::graph::LocationId;
use ult_core::reason::Reason;
use ult_interpolate::simplify::simplified;

/// So many questions are asked to make the invariants of a graph smaller.
const QUESTIONS: u32 = 200;

/// The runs found, and as invariants the disjunction of the states at each location. Where a
/// search that was stopped did not get to (`stop` is the reason) only what is known anyway is
/// claimed.
pub(super) fn outcome(mut search: Search<'_, '_>, stop: Option<Reason>) -> Outcome {
    let unexplored = match &stop {
        Some(_) => unexplored(&search),
        None => BTreeSet::new(),
    };
    search.recorder.note(|| match &stop {
        None => Step::Finished,
        Some(reason) => Step::Stopped {
            reason: reason.clone(),
        },
    });
    let graph = search.graph;
    for location in graph.errors() {
        let open = unexplored.contains(&location) && !search.closed.contains(&location);
        if let Some(reason) = stop.as_ref().filter(|_| open) {
            search.outcome.undecided.insert(location, reason.clone());
        }
    }
    let mut states: BTreeMap<LocationId, Vec<State>> = BTreeMap::new();
    for node in search.arg.active() {
        let state = search.arg.state(node).clone();
        states
            .entry(search.arg.location(node))
            .or_default()
            .push(state);
    }
    let terms = search.terms;
    let mut budget = QUESTIONS;
    let mut at = BTreeMap::new();
    for location in graph.graph.node_indices() {
        let states = states.remove(&location).unwrap_or_default();
        let any = if unexplored.contains(&location) || search.closed.contains(&location) {
            terms.tt()
        } else {
            let states = weakest(&search, &states);
            search.states.join(&states)
        };
        let known = search.posts.known(location).iter().copied();
        let formula = terms.and(known.chain([any]));
        at.insert(location, simplified(search.session, formula, &mut budget));
    }
    let mut outcome = search.outcome;
    outcome.records = search.recorder.finish();
    outcome.claim(at);
    outcome
}

/// The locations that can be reached from what was not expanded.
fn unexplored(search: &Search<'_, '_>) -> BTreeSet<LocationId> {
    let arg = &search.arg;
    let is_error = |location: LocationId| search.graph.graph[location].error.is_some();
    let open = arg
        .active()
        .filter(|&node| !arg.is_expanded(node) || is_error(arg.location(node)));
    let mut found: BTreeSet<LocationId> = open.map(|node| arg.location(node)).collect();
    let mut stack: Vec<LocationId> = found.iter().copied().collect();
    while let Some(location) = stack.pop() {
        for next in search.graph.graph.neighbors(location) {
            if found.insert(next) {
                stack.push(next);
            }
        }
    }
    found
}

/// More states at one location are not compared with each other.
const MOST_COMPARED: usize = 500;

/// The states without those that say all that another one says, by the look of it.
fn weakest<'a>(search: &Search<'_, '_>, states: &'a [State]) -> Vec<&'a State> {
    if states.len() > MOST_COMPARED {
        return states.iter().collect();
    }
    let conjuncts: Vec<BTreeSet<Term>> = states
        .iter()
        .map(|state| {
            search
                .terms
                .conjuncts(state.formula())
                .into_iter()
                .collect()
        })
        .collect();
    let mut kept: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (0..states.len()).collect();
    order.sort_by_key(|&i| conjuncts[i].len());
    for i in order {
        if !kept.iter().any(|&k| conjuncts[k].is_subset(&conjuncts[i])) {
            kept.push(i);
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|i| &states[i]).collect()
}
