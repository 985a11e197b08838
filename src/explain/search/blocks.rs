//! Which statements a block is made of.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

/// If there are more pairs of edges than this, blocks are not traced back to statements.
const MOST_PAIRS: usize = 1_000_000;

/// Which edges of the unreduced graph an edge of the reduced one is made of: those on the ways
/// between its ends that pass no other location of the reduced graph.
pub(crate) struct Blocks<'a> {
    graph: &'a ProgramGraph,
    ends: Vec<(LocationId, LocationId)>,
    kept: BTreeSet<LocationId>,
}

impl<'a> Blocks<'a> {
    /// For a graph, the reduced one, and the way back from its locations.
    pub(crate) fn new(
        graph: &'a ProgramGraph,
        reduced: &ProgramGraph,
        back: &dyn Fn(LocationId) -> LocationId,
    ) -> Blocks<'a> {
        let pairs = graph.graph.edge_count() * reduced.graph.edge_count();
        let ends = reduced.graph.edge_references();
        Blocks {
            graph,
            ends: match pairs {
                pairs if pairs > MOST_PAIRS => Vec::new(),
                _ => ends.map(|e| (back(e.source()), back(e.target()))).collect(),
            },
            kept: reduced.graph.node_indices().map(back).collect(),
        }
    }

    /// The edges that an edge of the reduced graph is made of.
    pub(crate) fn statements(&self, block: EdgeId) -> Vec<EdgeId> {
        let mut found = Vec::new();
        if let Some(&(from, to)) = self.ends.get(block.index()) {
            let ahead = self.reached(from, Direction::Outgoing);
            let behind = self.reached(to, Direction::Incoming);
            for edge in self.graph.graph.edge_references() {
                if ahead.contains(&edge.source()) && behind.contains(&edge.target()) {
                    found.push(edge.id());
                }
            }
        }
        found
    }

    /// What can be reached without passing a kept location.
    fn reached(&self, from: LocationId, direction: Direction) -> BTreeSet<LocationId> {
        let mut found = BTreeSet::from([from]);
        let mut stack = vec![from];
        while let Some(location) = stack.pop() {
            for next in self.graph.graph.neighbors_directed(location, direction) {
                if !self.kept.contains(&next) && found.insert(next) {
                    stack.push(next);
                }
            }
        }
        found
    }
}
