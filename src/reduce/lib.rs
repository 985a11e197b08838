//! Reductions: each maps a program graph to a smaller one and gives the way back for evidence.
//!
//! A reduction keeps which error locations can be reached. [`reduce`] runs them in sequence:
//! [`prune`](mod@prune), [`constants`](mod@constants), [`dead`](mod@dead) and
//! [`blocks`](mod@blocks).
//!
//! The way back has to give invariants that can be checked location by location on the larger
//! graph, so a location that an engine cannot see needs one too if a cycle consists of such
//! locations; see [`WayBack::invariants`].
//!
//! [`cells`] is apart: it makes a variable of each cell of a map with few indices, for engines that have no notion of maps. Its
//! graph may allow less than the given one, and says so.

pub mod blocks;
pub mod cells;
pub mod compose;
pub mod constants;
pub mod dead;
pub mod prune;

mod effect;
mod liveness;
mod replay;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ult_core::formula::Terms;
use ult_core::graph::analysis::{Adjacency, Order};
use ult_core::graph::evidence::{Argument, Invariants, Run};
use ult_core::graph::{LocationId, ProgramGraph};

pub use compose::Compose;

/// The way back from a reduced graph to the graph it was made from.
pub trait WayBack {
    /// The location that a location of the reduced graph stands for.
    fn location(&self, reduced: LocationId) -> LocationId;

    /// Invariants of the reduced graph as invariants of the graph before the reduction.
    ///
    /// The reduced invariants should cover every location of the reduced graph but the initial
    /// one: a location may be there only because it cuts a cycle of the larger graph.
    ///
    /// The segments that an [`Argument`] counts are those between reduced locations, so it keeps
    /// its meaning as long as these become cut locations; whether it does is the checker's to find
    /// out.
    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants;

    /// The arguments of the reduced invariants, said about the graph before the reduction.
    fn arguments(&self, reduced: &Invariants) -> BTreeMap<LocationId, Argument> {
        let arguments = reduced.arguments.iter();
        arguments.map(|(&l, &a)| (self.location(l), a)).collect()
    }

    /// A run of the reduced graph, all of whose steps say the values of all variables, as a run of
    /// the graph before the reduction; an error says what is missing. The result is a claim for the checker like any other.
    fn run(&self, terms: &Terms, reduced: Run) -> Result<Run, String>;
}

/// The result of a reduction.
pub struct Reduced {
    /// The smaller graph.
    pub graph: ProgramGraph,
    /// The way back.
    pub back: Box<dyn WayBack>,
}

pub use blocks::Blocks;

/// Which reductions to do. Pruning is always done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceOptions {
    /// How to merge edges.
    pub blocks: Blocks,
    /// Whether to propagate constants.
    pub constants: bool,
    /// Whether to drop assignments to dead variables.
    pub dead: bool,
}

impl Default for ReduceOptions {
    fn default() -> ReduceOptions {
        ReduceOptions {
            blocks: Blocks::default(),
            constants: true,
            dead: true,
        }
    }
}

/// Reduces a graph by the reductions chosen.
///
/// Each error location of the result stands for one of `graph`; the others cannot be reached. An
/// error location of `graph` can be reached exactly if it has one in the result that can be.
/// Premises are left out, so that more can be reached if there are any.
pub fn reduce(terms: &Terms, graph: &ProgramGraph, options: &ReduceOptions) -> Reduced {
    reduce_around(terms, graph, options, &BTreeSet::new())
}

/// As [`reduce`]; the locations in `fixed` stay, as far as they are not pruned, so the edges
/// between them stay by themselves.
pub fn reduce_around(
    terms: &Terms,
    graph: &ProgramGraph,
    options: &ReduceOptions,
    fixed: &BTreeSet<LocationId>,
) -> Reduced {
    let graph = &*graph.without_premises();
    // All cycles of the original graph have to be cut by the invariants that come back, even those
    // that some reduction finds to be impossible. So their heads stay as long as they are not
    // pruned.
    let adjacency = Adjacency::of(graph);
    let heads = Order::of(graph, &adjacency).retreat_targets(graph);

    let mut pipeline = Pipeline::new(prune::prune(terms, graph));
    if options.constants {
        pipeline.then(|graph| constants::constants(terms, graph));
        pipeline.then(|graph| prune::prune(terms, graph));
    }
    if options.dead {
        pipeline.then(|graph| dead::dead(terms, graph));
    }
    if options.blocks != Blocks::None {
        let locations = pipeline.graph.graph.node_indices();
        let keep: Vec<bool> = locations
            .map(|location| pipeline.back.location(location))
            .map(|location| heads[location.index()] || fixed.contains(&location))
            .collect();
        pipeline.then(|graph| blocks::blocks(terms, graph, options.blocks, &keep));
        pipeline.then(|graph| prune::prune(terms, graph));
    }
    Reduced {
        graph: pipeline.graph,
        back: Box::new(pipeline.back),
    }
}

/// A sequence of reductions.
struct Pipeline {
    graph: ProgramGraph,
    back: Compose,
}

impl Pipeline {
    fn new(first: Reduced) -> Pipeline {
        Pipeline {
            graph: first.graph,
            back: Compose {
                steps: vec![first.back],
            },
        }
    }

    fn then(&mut self, reduction: impl FnOnce(&ProgramGraph) -> Reduced) {
        let reduced = reduction(&self.graph);
        self.graph = reduced.graph;
        self.back.steps.push(reduced.back);
    }
}
