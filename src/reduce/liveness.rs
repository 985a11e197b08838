//! Liveness: whose value may still matter.
//!
//! A variable is live at a location if some path from there reads it, in a condition or in the
//! value of an assignment to a variable that is live in turn, before it gets another value. So a
//! counter that only counts is dead, although it is read by its own assignments. Whether a run
//! can be continued to some location depends on the values of the live variables only.

use std::collections::BTreeSet;

use super::effect::Effect;
use ult_core::graph::analysis::{Adjacency, Order, source, target};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::persistent::Set;

/// The live variables of each location.
pub(crate) struct Liveness {
    at: Vec<Set>,
}

impl Liveness {
    /// Analyses a graph. `effects` are those of the edges, by their index. Nothing is live at
    /// error locations, where runs end.
    pub(crate) fn of(
        graph: &ProgramGraph,
        adjacency: &Adjacency,
        order: &Order,
        effects: &[Effect],
    ) -> Liveness {
        let none = Set::new(graph.variables.len());
        let mut liveness = Liveness {
            at: vec![none; graph.graph.node_count()],
        };
        // Locations far from the start come first: information flows backward.
        let mut waiting: BTreeSet<usize> = (0..order.locations.len()).collect();
        while let Some(place) = waiting.pop_last() {
            let location = order.locations[place];
            let mut live = liveness.at[location.index()].clone();
            let mut changed = false;
            for &edge in &adjacency.out[location.index()] {
                let before = liveness.before(graph, effects, edge);
                changed |= live.unite(&before);
            }
            if changed {
                liveness.at[location.index()] = live;
                let sources = adjacency.into[location.index()].iter();
                waiting.extend(
                    sources.filter_map(|&edge| order.position[source(graph, edge).index()]),
                );
            }
        }
        liveness
    }

    /// Whether a variable is live at a location.
    pub(crate) fn is_live(&self, location: LocationId, var: usize) -> bool {
        self.at[location.index()].contains(var)
    }

    /// What is live before a step, given what is live after it.
    fn before(&self, graph: &ProgramGraph, effects: &[Effect], edge: EdgeId) -> Set {
        let effect = &effects[edge.index()];
        let after = target(graph, edge);
        let mut live = self.at[after.index()].clone();
        for var in effect.changed() {
            live.remove(var);
        }
        for &var in &effect.reads {
            live.insert(var);
        }
        // The reads of pinned assignments are among those of the effect.
        for assigned in &effect.assigned {
            if self.is_live(after, assigned.var) {
                for &var in &assigned.reads {
                    live.insert(var);
                }
            }
        }
        live
    }
}
