//! Variables whose values still matter.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use crate::places::with_a_way_to_an_error;
use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::{LocationId, ProgramGraph, Transition};

/// For each location the variables, by number, whose values there decide about reaching an error
/// location: some step from there on, on a way to one, reads them in a condition, or for the new
/// value of a variable that matters behind it (strong liveness; Giegerich, Möncke, Wilhelm:
/// "Invariance of approximate semantics with respect to program transformations", 1981).
pub(crate) struct Live(Vec<FixedBitSet>);

/// What an edge reads, and for what.
struct Reads {
    changed: Vec<usize>,
    /// For its conditions.
    always: FixedBitSet,
    /// For the new value of a variable, if that matters.
    for_value: Vec<(usize, FixedBitSet)>,
}

impl Reads {
    fn of(terms: &Terms, graph: &ProgramGraph, transition: &Transition) -> Reads {
        let number = |name: &str| graph.variables.get_index_of(name);
        let named = |formulas: &[Term], version| {
            let mut set = FixedBitSet::with_capacity(graph.variables.len());
            let names = terms.names_of(formulas, version).into_keys();
            set.extend(names.filter_map(|name| number(&name)));
            set
        };
        let (definitions, rest) = transition.definitions(terms);
        let mut always = named(&rest, Version::Current);
        let conditions = named(&rest, Version::Next);
        let mut for_value = Vec::new();
        for definition in definitions {
            let reads = named(&[definition.value], Version::Current);
            match number(&definition.variable) {
                Some(variable) if !conditions.contains(variable) => {
                    for_value.push((variable, reads));
                }
                _ => always.union_with(&reads),
            }
        }
        let changed = transition.changed.iter().filter_map(|name| number(name));
        Reads {
            changed: changed.collect(),
            always,
            for_value,
        }
    }

    /// What matters before the edge, of what does behind it.
    fn before(&self, behind: &FixedBitSet) -> FixedBitSet {
        let mut before = behind.clone();
        for &variable in &self.changed {
            before.set(variable, false);
        }
        before.union_with(&self.always);
        for (variable, reads) in &self.for_value {
            if behind.contains(*variable) {
                before.union_with(reads);
            }
        }
        before
    }
}

impl Live {
    /// Looks at the graph from its error locations backwards.
    pub(crate) fn new(terms: &Terms, graph: &ProgramGraph) -> Live {
        let none = || FixedBitSet::with_capacity(graph.variables.len());
        let mut live = vec![none(); graph.graph.node_count()];
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
                let known = &mut live[edge.source().index()];
                if !before.is_subset(known) {
                    known.union_with(&before);
                    waiting.insert(edge.source());
                }
            }
        }
        Live(live)
    }

    /// Those at a location.
    pub(crate) fn at(&self, location: LocationId) -> &FixedBitSet {
        &self.0[location.index()]
    }
}
