//! Where a program graph has cycles.

use std::collections::BTreeSet;

use petgraph::visit::EdgeRef as _;

use super::{EdgeId, LocationId, ProgramGraph};

impl ProgramGraph {
    /// The edges that close a cycle in a depth-first search from the initial location: without them there is none.
    pub fn closing_edges(&self) -> BTreeSet<EdgeId> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let out = |location: LocationId| {
            let edges = self.graph.edges(location);
            let mut edges: Vec<_> = edges.map(|e| (e.id(), e.target())).collect();
            // The edges come in the reverse order of the text.
            edges.reverse();
            edges.into_iter()
        };
        let mut marks = vec![Mark::New; self.graph.node_count()];
        let mut closing = BTreeSet::new();
        marks[self.initial.index()] = Mark::Open;
        let mut stack = vec![(self.initial, out(self.initial))];
        while let Some((location, rest)) = stack.last_mut() {
            let Some((edge, next)) = rest.next() else {
                marks[location.index()] = Mark::Done;
                stack.pop();
                continue;
            };
            match marks[next.index()] {
                Mark::New => {
                    marks[next.index()] = Mark::Open;
                    stack.push((next, out(next)));
                }
                Mark::Open => {
                    closing.insert(edge);
                }
                Mark::Done => {}
            }
        }
        closing
    }

    /// The targets of these edges, where loops begin.
    pub fn cycle_heads(&self) -> BTreeSet<LocationId> {
        let ends = self.closing_edges().into_iter();
        let ends = ends.filter_map(|edge| self.graph.edge_endpoints(edge));
        ends.map(|(_, head)| head).collect()
    }
}
