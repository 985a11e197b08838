//! One long-lived solver per edge of the program graph, as long as there are not too many.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::limits;
use ult_core::formula::Term;
use ult_core::graph::{EdgeId, ProgramGraph};
use ult_smt::{Session, Solver};

/// Solvers that hold an edge's formula; state formulas before and after the step come as assumptions.
pub struct Blocks<'s, 't> {
    /// The session the solvers belong to.
    pub session: &'s Session<'t>,
    /// The graph the edges belong to.
    pub graph: &'s ProgramGraph,
    /// `None` where the solver does not understand the formula.
    solvers: BTreeMap<EdgeId, Option<Solver<'s, 't>>>,
    /// The edges that have a solver, in the order in which these were made.
    made: VecDeque<EdgeId>,
    /// State formulas as they read after the step.
    after: BTreeMap<EdgeId, HashMap<Term, Term>>,
}

impl<'s, 't> Blocks<'s, 't> {
    /// No solver is made before it is needed.
    pub fn new(session: &'s Session<'t>, graph: &'s ProgramGraph) -> Blocks<'s, 't> {
        Blocks {
            session,
            graph,
            solvers: BTreeMap::new(),
            made: VecDeque::new(),
            after: BTreeMap::new(),
        }
    }

    /// The solver of an edge; `None` if the solver does not understand the edge's formula.
    pub fn solver(&mut self, edge: EdgeId) -> Option<&mut Solver<'s, 't>> {
        if !self.solvers.contains_key(&edge) {
            if self.made.len() >= limits::SOLVERS
                && let Some(first) = self.made.pop_front()
            {
                self.solvers.remove(&first);
            }
            let mut solver = self.session.solver();
            let formula = self.graph.graph[edge].transition.formula;
            let understood = solver.assert(formula).is_ok();
            self.solvers.insert(edge, understood.then_some(solver));
            self.made.push_back(edge);
        }
        self.solvers.get_mut(&edge)?.as_mut()
    }

    /// [`Transition::after`](ult_core::graph::Transition::after) along `edge`, remembered.
    pub fn after(&mut self, edge: EdgeId, formula: Term) -> Term {
        let terms = self.session.terms();
        let transition = &self.graph.graph[edge].transition;
        let known = self.after.entry(edge).or_default();
        *(known.entry(formula)).or_insert_with(|| transition.after(terms, formula))
    }
}
