//! What is kept of what is known, and how paths that no execution takes make it more.

use fixedbitset::FixedBitSet;

use super::plan::Plan;
use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::{EdgeId, ProgramGraph};

/// What is kept at a location.
pub(super) struct Precision {
    /// The variables whose values are kept, by number.
    pub tracked: FixedBitSet,
    /// The edges whose conditions are all kept, by index.
    pub kept: FixedBitSet,
}

/// A condition on a path: the number of the step, the condition as it stands in the formula.
pub(super) type Condition = (usize, Term);

impl Precision {
    /// Values of all variables.
    pub(super) fn all_values(graph: &ProgramGraph) -> Precision {
        let mut precision = Precision::nothing(graph);
        precision.tracked.insert_range(..);
        precision
    }

    /// Nothing.
    pub(super) fn nothing(graph: &ProgramGraph) -> Precision {
        Precision {
            tracked: FixedBitSet::with_capacity(graph.variables.len()),
            kept: FixedBitSet::with_capacity(graph.graph.edge_count()),
        }
    }

    /// Keeps what makes these conditions contradict each other on a path: the conditions, and the
    /// values of the variables that they are computed from, from where the path gives them. Tells
    /// whether that is more than before.
    pub(super) fn refine(
        &mut self,
        terms: &Terms,
        graph: &ProgramGraph,
        path: &[EdgeId],
        plans: &[&Plan],
        core: &[Condition],
    ) -> bool {
        let before = (self.tracked.count_ones(..), self.kept.count_ones(..));
        let mut needed = FixedBitSet::with_capacity(graph.variables.len());
        let read = |term: Term, version: Version, needed: &mut FixedBitSet| {
            let names = terms.names_of(&[term], version).into_keys();
            needed.extend(names.filter_map(|name| graph.variables.get_index_of(&name)));
        };
        for (number, (&edge, plan)) in path.iter().zip(plans).enumerate().rev() {
            let own = || core.iter().filter(|(step, _)| *step == number);
            for &(_, condition) in own() {
                self.kept.insert(edge.index());
                read(condition, Version::Next, &mut needed);
            }
            self.tracked.union_with(&needed);
            let mut values = Vec::new();
            for &(variable, value) in &plan.changed {
                if needed.contains(variable) {
                    needed.set(variable, false);
                    values.extend(value.map(|place| plan.nodes[place].term));
                }
            }
            let conditions = own().map(|&(_, condition)| condition);
            for term in values.into_iter().chain(conditions) {
                read(term, Version::Current, &mut needed);
            }
            self.tracked.union_with(&needed);
        }
        before != (self.tracked.count_ones(..), self.kept.count_ones(..))
    }
}
