//! Locations of interest, by the form of the graph alone.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use ult_core::graph::{LocationId, ProgramGraph};

/// For each location, by index, whether there is a way from it to an error location.
pub(crate) fn with_a_way_to_an_error(graph: &ProgramGraph) -> Vec<bool> {
    let mut found = vec![false; graph.graph.node_count()];
    let mut waiting: Vec<LocationId> = graph.errors().collect();
    for &error in &waiting {
        found[error.index()] = true;
    }
    while let Some(location) = waiting.pop() {
        for edge in graph.graph.edges_directed(location, Direction::Incoming) {
            let source = edge.source();
            if !std::mem::replace(&mut found[source.index()], true) {
                waiting.push(source);
            }
        }
    }
    found
}

/// Whether a location has a state of its own: the initial one, those where edges meet, errors.
pub(crate) fn is_kept(graph: &ProgramGraph, location: LocationId) -> bool {
    let mut incoming = graph.graph.edges_directed(location, Direction::Incoming);
    location == graph.initial || graph.graph[location].error.is_some() || incoming.nth(1).is_some()
}

/// The reachable locations in a reverse postorder of a depth-first search, and those that an edge
/// leads back to. Every cycle has one of these.
pub(crate) fn reverse_postorder(graph: &ProgramGraph) -> (Vec<LocationId>, BTreeSet<LocationId>) {
    #[derive(PartialEq)]
    enum Visit {
        Open,
        Done,
    }
    let targets = |location| {
        let targets: Vec<LocationId> = graph.graph.neighbors(location).collect();
        targets.into_iter()
    };
    let mut visits = BTreeMap::from([(graph.initial, Visit::Open)]);
    let mut stack = vec![(graph.initial, targets(graph.initial))];
    let (mut order, mut heads) = (Vec::new(), BTreeSet::new());
    while let Some((location, rest)) = stack.last_mut() {
        match rest.next() {
            Some(target) => match visits.get(&target) {
                None => {
                    visits.insert(target, Visit::Open);
                    stack.push((target, targets(target)));
                }
                Some(Visit::Open) => {
                    heads.insert(target);
                }
                Some(Visit::Done) => {}
            },
            None => {
                visits.insert(*location, Visit::Done);
                order.push(*location);
                stack.pop();
            }
        }
    }
    order.reverse();
    (order, heads)
}
