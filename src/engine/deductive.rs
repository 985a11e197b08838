//! Deductive verification: what the program says suffices, and nothing is looked for.
//!
//! A graph that was lowered in the modular reading has no loops: each was cut at its invariants, as in
//! Boogie (Barnett, Leino: "Weakest-precondition of unstructured programs", PASTE 2005). So nothing
//! has to be found. That no run gets to an error location follows from the graph, or it does not,
//! and the checker's own question says so: the claim is that all error locations are excluded, and no formula
//! goes with it. Nothing is asked here.
//!
//! In the other reading a loop is there, but behind its head its invariants are assumed (they are asserted on all ways to it). So
//! the claim is that they suffice, see [`Invariants::stated`].

use petgraph::algo::is_cyclic_directed;

use crate::task::{Claims, Engine, Outcome, Task, all_undecided};
use ult_core::formula::{Op, Term, Terms};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Claims that nothing has to be said about a graph but what it says itself.
#[derive(Clone, Copy, Debug)]
pub struct Deductive;

impl Engine for Deductive {
    fn run(&self, task: &Task<'_>, _: &mut Statistics) -> Outcome {
        let mut original = Claims::default();
        if says_enough(task.terms, task.original) {
            original.invariants = Some(Invariants::stated(task.terms, task.original));
        } else {
            let reason =
                Reason::Incomplete("there is a loop, and no invariant is looked for".into());
            original.undecided = all_undecided(task.original, &reason);
        }
        Outcome {
            original,
            ..Outcome::default()
        }
    }
}

/// Whether a graph is asked about in this way before anybody searches: its loops say what they keep, or there are none, and
/// there are quantifiers, with which a search takes long, or sequences, of which no search tells a run.
pub(crate) fn suits(terms: &Terms, graph: &ProgramGraph) -> bool {
    if !says_enough(terms, graph) {
        return false;
    }
    let edges = graph.graph.edge_weights();
    let formulas: Vec<Term> = edges
        .map(|edge| edge.transition.formula)
        .chain(graph.axioms.iter().copied())
        .collect();
    let all = terms.post_order(&formulas);
    let is_bound = |&term: &Term| matches!(terms.op(term), Op::Bind(_));
    all.iter().any(is_bound) || graph.has_sequences(terms)
}

/// Whether there are no loops, or something is assumed behind the head of one.
fn says_enough(terms: &Terms, graph: &ProgramGraph) -> bool {
    let is_assumed = |head: LocationId| {
        let mut ways = graph.graph.edges(head);
        let (Some(way), None) = (ways.next(), ways.next()) else {
            return false;
        };
        let transition = &way.weight().transition;
        transition.changed.is_empty() && transition.formula != terms.tt()
    };
    !is_cyclic_directed(&graph.graph) || graph.loop_heads().any(is_assumed)
}
