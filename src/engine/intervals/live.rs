//! Variables whose values are still read.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use ult_core::formula::{Terms, Version};
use ult_core::graph::{LocationId, ProgramGraph};

/// For each location the variables, by number, that some step from there on reads before it is
/// changed.
pub(super) struct Live(Vec<FixedBitSet>);

impl Live {
    pub(super) fn new(terms: &Terms, graph: &ProgramGraph) -> Live {
        let none = || FixedBitSet::with_capacity(graph.variables.len());
        let mut live = vec![none(); graph.graph.node_count()];
        let mut waiting: BTreeSet<LocationId> = graph.graph.node_indices().collect();
        while let Some(target) = waiting.pop_last() {
            for edge in graph.graph.edges_directed(target, Direction::Incoming) {
                let transition = &edge.weight().transition;
                let mut before = live[target.index()].clone();
                for name in &transition.changed {
                    if let Some(number) = graph.variables.get_index_of(name) {
                        before.set(number, false);
                    }
                }
                for name in terms
                    .names_of(&[transition.formula], Version::Current)
                    .into_keys()
                {
                    if let Some(number) = graph.variables.get_index_of(&name) {
                        before.insert(number);
                    }
                }
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
    pub(super) fn at(&self, location: LocationId) -> &FixedBitSet {
        &self.0[location.index()]
    }
}
