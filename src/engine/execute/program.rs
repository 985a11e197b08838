//! A graph made ready for execution. What is never reached is not compiled.

use std::cell::OnceCell;

use petgraph::visit::EdgeRef as _;
use ult_core::formula::Terms;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

use super::lookahead::{self, Wanted};
use super::plan::{Plan, Slots};
use ult_core::graph::analysis::with_a_way_to_an_error;

/// A graph made ready for execution.
pub(super) struct Program<'g> {
    /// The store of the terms.
    pub terms: &'g Terms,
    /// The graph.
    pub graph: &'g ProgramGraph,
    /// The numbers of variables.
    pub slots: Slots,
    /// What is wanted of the state at the start.
    pub start: Option<Wanted>,
    useful: Vec<bool>,
    /// Whether something is violated at a location, by index.
    errors: Vec<bool>,
    /// Where an edge leads to, by index.
    targets: Vec<LocationId>,
    plans: Vec<OnceCell<Option<Plan>>>,
    ways: Vec<OnceCell<Vec<EdgeId>>>,
}

impl<'g> Program<'g> {
    /// Looks at the graph as a whole; edges are looked at when they are taken.
    pub(super) fn new(terms: &'g Terms, graph: &'g ProgramGraph) -> Program<'g> {
        let slots = Slots::of(terms, graph);
        let useful = with_a_way_to_an_error(graph);
        let all: Vec<usize> = (0..slots.variables()).collect();
        let mut errors = vec![false; graph.graph.node_count()];
        for error in graph.errors() {
            errors[error.index()] = true;
        }
        let targets = graph.graph.edge_references().map(|edge| edge.target());
        let start = lookahead::ahead(terms, graph, &slots, &useful, graph.initial, &all);
        Program {
            terms,
            graph,
            start,
            slots,
            plans: vec_of_cells(graph.graph.edge_count()),
            ways: vec_of_cells(graph.graph.node_count()),
            useful,
            errors,
            targets: targets.collect(),
        }
    }

    /// How to take an edge; `None` if its formula is nested too deeply.
    pub(super) fn plan(&self, edge: EdgeId) -> Option<&Plan> {
        let cell = &self.plans[edge.index()];
        let plan =
            cell.get_or_init(|| Plan::of(self.terms, self.graph, &self.slots, &self.useful, edge));
        plan.as_ref()
    }

    /// The edges that lead on from a location.
    pub(super) fn ways(&self, location: LocationId) -> &[EdgeId] {
        self.ways[location.index()]
            .get_or_init(|| lookahead::ways(self.terms, self.graph, &self.useful, location))
    }

    /// Whether something is violated at a location.
    pub(super) fn is_error(&self, location: LocationId) -> bool {
        self.errors[location.index()]
    }

    /// Where an edge leads to.
    pub(super) fn target(&self, edge: EdgeId) -> LocationId {
        self.targets[edge.index()]
    }
}

fn vec_of_cells<T>(count: usize) -> Vec<OnceCell<T>> {
    std::iter::repeat_with(OnceCell::new).take(count).collect()
}
