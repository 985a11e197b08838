//! Depth-first order of a program graph: reverse postorder and retreating edges.

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

/// The edges of a graph by location, in the order in which they were added.
pub(crate) struct Adjacency {
    /// The edges that leave a location, by its index.
    pub out: Vec<Vec<EdgeId>>,
    /// The edges that enter a location, by its index.
    pub into: Vec<Vec<EdgeId>>,
}

impl Adjacency {
    /// Collects the edges of a graph.
    pub(crate) fn of(graph: &ProgramGraph) -> Adjacency {
        let count = graph.graph.node_count();
        let mut adjacency = Adjacency {
            out: vec![Vec::new(); count],
            into: vec![Vec::new(); count],
        };
        for edge in graph.graph.edge_references() {
            adjacency.out[edge.source().index()].push(edge.id());
            adjacency.into[edge.target().index()].push(edge.id());
        }
        adjacency
    }
}

/// The order in which a depth-first search from the initial location leaves the locations,
/// reversed.
pub(crate) struct Order {
    /// The locations that can be reached, in reverse postorder: every edge that is not retreating
    /// leads forward in it.
    pub locations: Vec<LocationId>,
    /// The place of a location in `locations`, by its index; `None` if it is not reached.
    pub position: Vec<Option<usize>>,
}

impl Order {
    /// Searches the graph.
    pub(crate) fn of(graph: &ProgramGraph, adjacency: &Adjacency) -> Order {
        let mut seen = vec![false; graph.graph.node_count()];
        let mut locations = Vec::new();
        // A location and how many of its edges were followed.
        let mut stack = vec![(graph.initial, 0)];
        seen[graph.initial.index()] = true;
        while let Some((location, followed)) = stack.pop() {
            // The last edge first, so that the first branch comes first in the reversed order.
            let edges = &adjacency.out[location.index()];
            let Some(&edge) = edges.iter().nth_back(followed) else {
                locations.push(location);
                continue;
            };
            stack.push((location, followed + 1));
            let target = target(graph, edge);
            if !std::mem::replace(&mut seen[target.index()], true) {
                stack.push((target, 0));
            }
        }
        locations.reverse();
        let mut position = vec![None; graph.graph.node_count()];
        for (place, location) in locations.iter().enumerate() {
            position[location.index()] = Some(place);
        }
        Order {
            locations,
            position,
        }
    }

    /// Whether an edge between two reached locations leads backward (or to its own source). Each
    /// cycle has such an edge.
    pub(crate) fn is_retreating(&self, graph: &ProgramGraph, edge: EdgeId) -> bool {
        let place = |location: LocationId| self.position[location.index()];
        let (from, to) = (place(source(graph, edge)), place(target(graph, edge)));
        matches!((from, to), (Some(from), Some(to)) if to <= from)
    }

    /// By location: whether a retreating edge enters it. These locations cut every cycle.
    pub(crate) fn retreat_targets(&self, graph: &ProgramGraph) -> Vec<bool> {
        let mut targets = vec![false; graph.graph.node_count()];
        for edge in graph.graph.edge_indices() {
            if self.is_retreating(graph, edge) {
                targets[target(graph, edge).index()] = true;
            }
        }
        targets
    }
}

/// Where an edge comes from.
pub(crate) fn source(graph: &ProgramGraph, edge: EdgeId) -> LocationId {
    graph.graph.raw_edges()[edge.index()].source()
}

/// Where an edge leads.
pub(crate) fn target(graph: &ProgramGraph, edge: EdgeId) -> LocationId {
    graph.graph.raw_edges()[edge.index()].target()
}

/// By location: whether it can be reached from one of `seeds` along edges that `follow` accepts,
/// in the given direction.
pub(crate) fn reach(
    graph: &ProgramGraph,
    seeds: impl IntoIterator<Item = LocationId>,
    direction: Direction,
    follow: impl Fn(EdgeId) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; graph.graph.node_count()];
    let mut stack: Vec<LocationId> = seeds.into_iter().collect();
    for seed in &stack {
        reached[seed.index()] = true;
    }
    while let Some(location) = stack.pop() {
        for edge in graph.graph.edges_directed(location, direction) {
            let next = match direction {
                Direction::Outgoing => edge.target(),
                Direction::Incoming => edge.source(),
            };
            if follow(edge.id()) && !std::mem::replace(&mut reached[next.index()], true) {
                stack.push(next);
            }
        }
    }
    reached
}
