//! Which auxiliary invariants a proof needs.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use crate::blocks::Blocks;
use crate::budget::Budget;
use crate::invariants::Lemmas;
use crate::limits;
use ult_core::formula::Term;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_smt::{Answer, Session};

/// The part of `known`, which is inductive as a whole, that contains `used` and is inductive by
/// itself: what follows from which others is seen from unsatisfiable cores.
pub(super) fn needed(
    session: &Session<'_>,
    graph: &ProgramGraph,
    known: Lemmas,
    used: &BTreeSet<(LocationId, Term)>,
) -> Lemmas {
    closure(session, graph, &known, used).unwrap_or(known)
}

fn closure(
    session: &Session<'_>,
    graph: &ProgramGraph,
    known: &Lemmas,
    used: &BTreeSet<(LocationId, Term)>,
) -> Option<Lemmas> {
    let terms = session.terms();
    let budget = Budget::new(limits::NEEDED);
    let mut blocks = Blocks::new(session, graph);
    let mut found = used.clone();
    let mut work: Vec<(LocationId, Term)> = used.iter().copied().collect();
    while let Some((location, formula)) = work.pop() {
        for edge in graph.graph.edges_directed(location, Direction::Incoming) {
            let left = budget.left()?;
            let fails = terms.not(blocks.after(edge.id(), formula));
            let source = edge.source();
            let before = known.get(&source).into_iter().flatten().copied();
            let assumptions: Vec<Term> = [fails].into_iter().chain(before).collect();
            let solver = blocks.solver(edge.id())?;
            if solver.check(&assumptions, Some(left)) != Answer::Unsat {
                return None;
            }
            for other in solver.core() {
                if other != fails && found.insert((source, other)) {
                    work.push((source, other));
                }
            }
        }
    }
    let mut needed: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
    for (&location, formulas) in known {
        let needed = needed.entry(location).or_default();
        let formulas = formulas.iter().copied();
        needed.extend(formulas.filter(|&formula| found.contains(&(location, formula))));
    }
    Some(needed)
}
