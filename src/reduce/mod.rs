//! Reductions: each maps a program graph to a smaller one and gives the way back for evidence.
//!
//! A reduction keeps which error locations can be reached. [`reduce`] runs them in sequence:
//! [`prune`](mod@prune), [`constants`](mod@constants), [`dead`](mod@dead) and
//! [`blocks`](mod@blocks).
//!
//! The way back has to give invariants that can be checked location by location on the larger
//! graph, so a location that an engine cannot see needs one too if a cycle consists of such
//! locations; see [`WayBack::invariants`].

pub mod blocks;
pub mod compose;
pub mod prune;

mod chunks;
mod effect;
mod liveness;
mod order;
mod replay;

#[cfg(test)]
mod tests;

use crate::formula::Terms;
use crate::graph::evidence::{Invariants, Run};
use crate::graph::{LocationId, ProgramGraph};

pub use compose::Compose;

/// The way back from a reduced graph to the graph it was made from.
pub trait WayBack {
    /// The location that a location of the reduced graph stands for.
    fn location(&self, reduced: LocationId) -> LocationId;

    /// Invariants of the reduced graph as invariants of the graph before the reduction.
    ///
    /// The reduced invariants should cover every location of the reduced graph but the initial
    /// one: a location may be there only because it cuts a cycle of the larger graph.
    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants;

    /// A run of the reduced graph as a run of the graph before the reduction; an error says what
    /// is missing. The result is a claim for the checker like any other.
    fn run(&self, terms: &Terms, reduced: &Run) -> Result<Run, String>;
}

/// The result of a reduction.
pub struct Reduced {
    /// The smaller graph.
    pub graph: ProgramGraph,
    /// The way back.
    pub back: Box<dyn WayBack>,
}

pub use blocks::Blocks;

/// Which reductions to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceOptions {
    /// How to merge edges.
    pub blocks: Blocks,
}

impl Default for ReduceOptions {
    fn default() -> ReduceOptions {
        ReduceOptions {
            blocks: Blocks::Large,
        }
    }
}

/// Reduces a graph.
pub fn reduce(terms: &Terms, graph: &ProgramGraph, options: &ReduceOptions) -> Reduced {
    // The cycles of the original graph have to stay cut for its invariants, even those that a
    // reduction finds to be impossible.
    let adjacency = order::Adjacency::of(graph);
    let heads = order::Order::of(graph, &adjacency).retreat_targets(graph);

    let first = prune::prune(terms, graph);
    let mut graph = first.graph;
    let mut back = Compose {
        steps: vec![first.back],
    };
    let then = |graph: &mut ProgramGraph, back: &mut Compose, reduced: Reduced| {
        *graph = reduced.graph;
        back.steps.push(reduced.back);
    };
    let keep: Vec<bool> = graph
        .graph
        .node_indices()
        .map(|location| heads[back.location(location).index()])
        .collect();
    let reduced = blocks::blocks(terms, &graph, options.blocks, &keep);
    then(&mut graph, &mut back, reduced);
    let reduced = prune::prune(terms, &graph);
    then(&mut graph, &mut back, reduced);
    Reduced {
        graph,
        back: Box::new(back),
    }
}
