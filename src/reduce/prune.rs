//! Pruning: locations that no error path visits, and edges that nothing can pass.

use petgraph::Direction;

use super::{Reduced, WayBack};
use ult_core::formula::Terms;
use ult_core::graph::analysis::{reach, source, target};
use ult_core::graph::evidence::{Invariants, Run};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

/// Removes the edges whose formula is literally `false`, and then all locations but the initial
/// one that cannot be reached from there, or from which no error location can be reached. Only
/// the initial location is left if no error location is.
pub fn prune(terms: &Terms, graph: &ProgramGraph) -> Reduced {
    let falsum = terms.ff();
    let passable = |edge: EdgeId| graph.graph[edge].transition.formula != falsum;
    let forward = reach(graph, [graph.initial], Direction::Outgoing, passable);
    let errors: Vec<LocationId> = graph.errors().collect();
    let backward = reach(graph, errors, Direction::Incoming, passable);

    let mut back = Back {
        locations: Vec::new(),
        edges: Vec::new(),
        removed: Vec::new(),
    };
    let mut smaller = graph.without_locations();
    let mut new = vec![None; graph.graph.node_count()];
    for location in graph.graph.node_indices() {
        let reachable = forward[location.index()];
        if location == graph.initial || reachable && backward[location.index()] {
            let copy = smaller.graph.add_node(graph.graph[location].clone());
            new[location.index()] = Some(copy);
            back.locations.push(location);
            if location == graph.initial {
                smaller.initial = copy;
            }
        } else {
            back.removed.push((location, reachable));
        }
    }
    for edge in graph.graph.edge_indices().filter(|&edge| passable(edge)) {
        let ends = (
            new[source(graph, edge).index()],
            new[target(graph, edge).index()],
        );
        if let (Some(source), Some(target)) = ends {
            smaller
                .graph
                .add_edge(source, target, graph.graph[edge].clone());
            back.edges.push(edge);
        }
    }
    Reduced {
        graph: smaller,
        back: Box::new(back),
    }
}

/// The way back: locations and edges have other numbers.
struct Back {
    locations: Vec<LocationId>,
    edges: Vec<EdgeId>,
    /// The removed locations, and whether they can be reached.
    removed: Vec<(LocationId, bool)>,
}

impl WayBack for Back {
    fn location(&self, reduced: LocationId) -> LocationId {
        self.locations[reduced.index()]
    }

    /// A removed location that can be reached does not matter, its invariant is `true`; one that
    /// cannot has `false`. They need invariants because a cycle may visit them.
    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants {
        let kept = reduced.at.iter();
        let removed = self.removed.iter();
        Invariants {
            at: kept
                .map(|(&location, &formula)| (self.location(location), formula))
                .chain(removed.map(|&(location, reachable)| (location, terms.bool(reachable))))
                .collect(),
            exempt: reduced.exempt.iter().map(|&l| self.location(l)).collect(),
            // A walk to an error location goes through no removed location, so it has as many
            // segments as in the smaller graph.
            arguments: self.arguments(reduced),
        }
    }

    fn run(&self, _terms: &Terms, mut run: Run) -> Result<Run, String> {
        for step in &mut run.steps {
            step.edge = *self
                .edges
                .get(step.edge.index())
                .ok_or("the trace uses an edge that does not exist")?;
        }
        Ok(run)
    }
}
