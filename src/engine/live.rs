//! Variables whose values still matter.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::analysis::with_a_way_to_an_error;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph, Transition};
use ult_core::persistent::Set;

/// For each location the variables, by number, whose values there decide about reaching an error
/// location: some step from there on, on a way to one, reads them in a condition, or for the new
/// value of a variable that matters behind it (strong liveness; Giegerich, Möncke, Wilhelm:
/// "Invariance of approximate semantics with respect to program transformations", 1981).
pub(crate) struct Live {
    at: Vec<Set>,
    /// By the number of an edge.
    reads: Vec<Reads>,
}

/// What an edge reads, and for what.
struct Reads {
    changed: Vec<usize>,
    /// For its conditions.
    always: Vec<usize>,
    /// For the new value of a variable, if that matters.
    for_value: Vec<(usize, Vec<usize>)>,
}

impl Reads {
    fn of(terms: &Terms, graph: &ProgramGraph, transition: &Transition) -> Reads {
        let number = |name: &str| graph.variables.get_index_of(name);
        let named = |formulas: &[Term], version| -> Vec<usize> {
            let names = terms.names_of(formulas, version).into_keys();
            names.filter_map(|name| number(&name)).collect()
        };
        let (definitions, rest) = transition.definitions(terms);
        let mut always = named(&rest, Version::Current);
        let conditions = named(&rest, Version::Next);
        let mut for_value = Vec::new();
        for definition in definitions {
            let reads = named(&[definition.value], Version::Current);
            match number(&definition.variable) {
                Some(variable) if !conditions.contains(&variable) => {
                    for_value.push((variable, reads));
                }
                _ => always.extend(reads),
            }
        }
        let changed = transition.changed.iter().filter_map(|name| number(name));
        Reads {
            changed: changed.collect(),
            always,
            for_value,
        }
    }

    /// All that it reads or changes.
    fn met(&self) -> impl Iterator<Item = usize> + '_ {
        let for_value = self.for_value.iter();
        let read = for_value.flat_map(|(variable, reads)| std::iter::once(variable).chain(reads));
        self.changed.iter().chain(&self.always).chain(read).copied()
    }

    /// What matters before the edge, of what does behind it.
    fn before(&self, behind: &Set) -> Set {
        let mut before = behind.clone();
        for &variable in &self.changed {
            before.remove(variable);
        }
        let for_value = self.for_value.iter();
        let wanted = for_value.filter(|(variable, _)| behind.contains(*variable));
        for &variable in self
            .always
            .iter()
            .chain(wanted.flat_map(|(_, reads)| reads))
        {
            before.insert(variable);
        }
        before
    }
}

impl Live {
    /// Looks at the graph from its error locations backwards.
    pub(crate) fn new(terms: &Terms, graph: &ProgramGraph) -> Live {
        let mut live = vec![Set::new(graph.variables.len()); graph.graph.node_count()];
        let edges = graph.graph.edge_weights();
        let reads: Vec<Reads> = edges
            .map(|edge| Reads::of(terms, graph, &edge.transition))
            .collect();
        let useful = with_a_way_to_an_error(graph);
        let mut waiting: BTreeSet<LocationId> = graph.graph.node_indices().collect();
        waiting.retain(|location| useful[location.index()]);
        while let Some(target) = waiting.pop_last() {
            for edge in graph.graph.edges_directed(target, Direction::Incoming) {
                let before = reads[edge.id().index()].before(&live[target.index()]);
                if live[edge.source().index()].unite(&before) {
                    waiting.insert(edge.source());
                }
            }
        }
        Live { at: live, reads }
    }

    /// Those at a location.
    pub(crate) fn at(&self, location: LocationId) -> &Set {
        &self.at[location.index()]
    }

    /// Those that do not matter behind an edge from one location to another, of those that matter before it or that it reads or
    /// changes: of all others nobody has anything to forget.
    pub(crate) fn dying(
        &self,
        edge: EdgeId,
        source: LocationId,
        target: LocationId,
    ) -> impl Iterator<Item = usize> + '_ {
        let behind = self.at(target);
        let met = self.reads[edge.index()].met();
        let dead = met.filter(|&variable| !behind.contains(variable));
        self.at(source).without(behind).chain(dead)
    }
}
