//! A bounded search for a run, where the solver says that there is one but not which.

use std::collections::{BTreeSet, VecDeque};

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use super::clauses::reaching;
use crate::limits;
use crate::path::Path;
use ult_core::graph::evidence::Run;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_smt::Session;

/// So many prefixes of paths are looked at.
const MOST_PREFIXES: usize = 2000;

/// A run along a path from the initial location; `None` if its formula has no model.
pub(super) fn follow(
    session: &Session<'_>,
    graph: &ProgramGraph,
    edges: &[EdgeId],
) -> Result<Option<Run>, Reason> {
    match Path::bare(session, graph, edges).follow(Some(limits::DERIVED_PATH)) {
        Ok(run) => Ok(run),
        Err(failure) => {
            session.control().check()?;
            Err(failure.into())
        }
    }
}

/// A run to one of the targets without branches, among the shortest paths whose prefixes can all be followed; `None`
/// if the bound is reached without one.
pub(super) fn shortest_run(
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
            .filter(|edge| relevant.contains(&edge.target()) && edge.weight().premises.is_empty())
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
                None => {}
                Some(run) if targets.contains(&edge.target()) => {
                    return Ok(Some((edge.target(), run)));
                }
                Some(_) => waiting.push_back((edge.target(), longer)),
            }
        }
    }
    Ok(None)
}
