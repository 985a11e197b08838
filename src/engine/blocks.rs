//! One long-lived solver per edge of the program graph.

use std::collections::{BTreeMap, HashMap};

use ult_core::formula::Term;
use ult_core::graph::{EdgeId, ProgramGraph};
use ult_smt::{Session, Solver};

/// Solvers that hold an edge's formula for good; state formulas before and after the step come as
/// assumptions.
pub struct Blocks<'s, 't> {
    /// The session the solvers belong to.
    pub session: &'s Session<'t>,
    /// The graph the edges belong to.
    pub graph: &'s ProgramGraph,
    blocks: BTreeMap<EdgeId, Block<'s, 't>>,
}

struct Block<'s, 't> {
    /// `None` if the solver does not understand the formula.
    solver: Option<Solver<'s, 't>>,
    /// State formulas as they read after the step.
    after: HashMap<Term, Term>,
}

impl<'s, 't> Blocks<'s, 't> {
    /// No solver is made before it is needed.
    pub fn new(session: &'s Session<'t>, graph: &'s ProgramGraph) -> Blocks<'s, 't> {
        Blocks {
            session,
            graph,
            blocks: BTreeMap::new(),
        }
    }

    fn block(&mut self, edge: EdgeId) -> &mut Block<'s, 't> {
        let (session, graph) = (self.session, self.graph);
        self.blocks.entry(edge).or_insert_with(|| {
            let mut solver = session.solver();
            let understood = solver.assert(graph.graph[edge].transition.formula).is_ok();
            Block {
                solver: understood.then_some(solver),
                after: HashMap::new(),
            }
        })
    }

    /// The solver of an edge; `None` if the solver does not understand the edge's formula.
    pub fn solver(&mut self, edge: EdgeId) -> Option<&mut Solver<'s, 't>> {
        self.block(edge).solver.as_mut()
    }

    /// [`Transition::after`](ult_core::graph::Transition::after) along `edge`, remembered.
    pub fn after(&mut self, edge: EdgeId, formula: Term) -> Term {
        let terms = self.session.terms();
        let transition = &self.graph.graph[edge].transition;
        *self
            .block(edge)
            .after
            .entry(formula)
            .or_insert_with(|| transition.after(terms, formula))
    }
}
