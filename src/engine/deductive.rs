//! Deductive verification: one verification condition for a graph without loops.
//!
//! A graph that was lowered in the modular reading has no loops: each was cut at its invariants, as in
//! Boogie (Barnett, Leino: "Weakest-precondition of unstructured programs", PASTE 2005). So nothing
//! has to be found. That no run gets to an error location follows from the graph, or it does not,
//! and the checker's own question says so: the claim is that all error locations are excluded, and no formula
//! goes with it. Nothing is asked here.

use petgraph::algo::is_cyclic_directed;

use crate::task::{Engine, Original, Outcome, Task, all_undecided};
use ult_core::formula::{Op, Term, Terms};
use ult_core::graph::ProgramGraph;
use ult_core::graph::evidence::Invariants;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Claims that nothing has to be said about a graph without loops.
#[derive(Clone, Copy, Debug)]
pub struct Deductive;

impl Engine for Deductive {
    fn run(&self, task: &Task<'_>, _: &mut Statistics) -> Outcome {
        let mut original = Original::default();
        if is_cyclic_directed(&task.original.graph) {
            let reason =
                Reason::Incomplete("there is a loop, and no invariant is looked for".into());
            original.undecided = all_undecided(task.original, &reason);
        } else {
            original.invariants = Some(Invariants::default());
        }
        Outcome {
            original,
            ..Outcome::default()
        }
    }
}

/// Whether a graph is asked about in this way before anybody searches: it has no loops, and there
/// are quantifiers, with which a search takes long.
pub(crate) fn suits(terms: &Terms, graph: &ProgramGraph) -> bool {
    if is_cyclic_directed(&graph.graph) {
        return false;
    }
    let edges = graph.graph.edge_weights();
    let formulas: Vec<Term> = edges
        .map(|edge| edge.transition.formula)
        .chain(graph.axioms.iter().copied())
        .collect();
    let all = terms.post_order(&formulas);
    all.iter()
        .any(|&term| matches!(terms.op(term), Op::Bind(_)))
}
