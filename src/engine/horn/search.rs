//! A bounded search for a run, where the solver says that there is one but not which.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use super::clauses::reaching;
use crate::path::run_of_model;
use ult_core::formula::Term;
use ult_core::graph::evidence::Run;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_interpolate::Chain;
use ult_smt::{Answer, Session};

/// The formula of one path may take this long.
const PATH_LIMIT: Duration = Duration::from_secs(10);

/// So many prefixes of paths are looked at.
const MOST_PREFIXES: usize = 2000;

/// What the formula of a path says.
pub enum Followed {
    /// The path can be followed, for example so.
    Run(Box<Run>),
    /// It cannot.
    Infeasible,
}

/// Decides a path from the initial location by its formula.
pub fn follow(
    session: &Session<'_>,
    graph: &ProgramGraph,
    edges: &[EdgeId],
) -> Result<Followed, Reason> {
    let terms = session.terms();
    let labels: Vec<Term> = vec![terms.tt(); edges.len() + 1];
    let chain = Chain::new(terms, graph, edges, &labels);
    let mut solver = session.brief_solver();
    for &step in &chain.steps {
        solver.assert(step).map_err(Reason::from)?;
    }
    match solver.check(&[], Some(PATH_LIMIT)) {
        Answer::Unsat => Ok(Followed::Infeasible),
        Answer::Unknown(failure) => {
            session.control().check()?;
            Err(failure.into())
        }
        Answer::Sat => {
            let model = solver.model().map_err(Reason::from)?;
            let run = run_of_model(terms, graph, &chain, edges, &model).map_err(Reason::from)?;
            Ok(Followed::Run(Box::new(run)))
        }
    }
}

/// A run to one of the targets, among the shortest paths whose prefixes can all be followed; `None`
/// if the bound is reached without one.
pub fn shortest_run(
    session: &Session<'_>,
    graph: &ProgramGraph,
    targets: &BTreeSet<LocationId>,
) -> Result<Option<(LocationId, Run)>, Reason> {
    let relevant = reaching(graph, targets);
    let mut waiting: VecDeque<(LocationId, Vec<EdgeId>)> = VecDeque::new();
    waiting.push_back((graph.initial, Vec::new()));
    let mut looked_at = 0;
    while let Some((location, path)) = waiting.pop_front() {
        let mut edges: Vec<_> = graph
            .graph
            .edges_directed(location, Direction::Outgoing)
            .filter(|edge| relevant.contains(&edge.target()))
            .collect();
        edges.sort_by_key(|edge| edge.id());
        for edge in edges {
            looked_at += 1;
            if looked_at > MOST_PREFIXES {
                return Ok(None);
            }
            session.control().check()?;
            let mut longer = path.clone();
            longer.push(edge.id());
            match follow(session, graph, &longer)? {
                Followed::Infeasible => {}
                Followed::Run(run) if targets.contains(&edge.target()) => {
                    return Ok(Some((edge.target(), *run)));
                }
                Followed::Run(_) => waiting.push_back((edge.target(), longer)),
            }
        }
    }
    Ok(None)
}
