//! What the form of a program graph says, whatever its formulas: orders, cycles, loop heads, reachability.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;
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

/// For each location, by index, whether there is a way from it to an error location.
pub fn with_a_way_to_an_error(graph: &ProgramGraph) -> Vec<bool> {
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
pub fn is_kept(graph: &ProgramGraph, location: LocationId) -> bool {
    let mut incoming = graph.graph.edges_directed(location, Direction::Incoming);
    location == graph.initial || graph.graph[location].error.is_some() || incoming.nth(1).is_some()
}

/// The reachable locations in a reverse postorder of a depth-first search, and those that an edge
/// leads back to. Every cycle has one of these.
pub fn reverse_postorder(graph: &ProgramGraph) -> (Vec<LocationId>, BTreeSet<LocationId>) {
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

/// The edges of a graph by location, in the order in which they were added.
pub struct Adjacency {
    /// The edges that leave a location, by its index.
    pub out: Vec<Vec<EdgeId>>,
    /// The edges that enter a location, by its index.
    pub into: Vec<Vec<EdgeId>>,
}

impl Adjacency {
    /// Collects the edges of a graph.
    pub fn of(graph: &ProgramGraph) -> Adjacency {
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
pub struct Order {
    /// The locations that can be reached, in reverse postorder: every edge that is not retreating
    /// leads forward in it.
    pub locations: Vec<LocationId>,
    /// The place of a location in `locations`, by its index; `None` if it is not reached.
    pub position: Vec<Option<usize>>,
}

impl Order {
    /// Searches the graph.
    pub fn of(graph: &ProgramGraph, adjacency: &Adjacency) -> Order {
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
    pub fn is_retreating(&self, graph: &ProgramGraph, edge: EdgeId) -> bool {
        let place = |location: LocationId| self.position[location.index()];
        let (from, to) = (place(source(graph, edge)), place(target(graph, edge)));
        matches!((from, to), (Some(from), Some(to)) if to <= from)
    }

    /// By location: whether a retreating edge enters it. These locations cut every cycle.
    pub fn retreat_targets(&self, graph: &ProgramGraph) -> Vec<bool> {
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
pub fn source(graph: &ProgramGraph, edge: EdgeId) -> LocationId {
    graph.graph.raw_edges()[edge.index()].source()
}

/// Where an edge leads.
pub fn target(graph: &ProgramGraph, edge: EdgeId) -> LocationId {
    graph.graph.raw_edges()[edge.index()].target()
}

/// By location: whether it can be reached from one of `seeds` along edges that `follow` accepts,
/// in the given direction.
pub fn reach(
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
