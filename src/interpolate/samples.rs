//! Paths for tests.

use super::Chain;
use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::{Edge, Location, ProgramGraph, Transition};

/// The chain of transition formulas, one after the other; each changes the variables whose next
/// values it mentions.
pub(crate) fn chain(t: &Terms, transitions: &[Term]) -> Chain {
    let mut graph = ProgramGraph::new("chain");
    for var in t.free_vars(transitions) {
        let name = t.as_var(var).unwrap().name.clone();
        graph.variables.insert(name, t.sort(var).clone());
    }
    let mut from = graph.initial;
    let mut edges = Vec::new();
    for &formula in transitions {
        let to = graph.graph.add_node(Location::named("l"));
        let changed = t.names_of(&[formula], Version::Next).into_keys().collect();
        let transition = Transition { formula, changed };
        let origin = None;
        edges.push(
            graph
                .graph
                .add_edge(from, to, Edge::new(transition, origin)),
        );
        from = to;
    }
    Chain::new(t, &graph, &edges, &vec![t.tt(); edges.len() + 1])
}
