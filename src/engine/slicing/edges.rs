//! Is there a step along an edge between two labels?

use std::collections::BTreeMap;

use crate::blocks::Blocks;
use crate::limits;
use ult_core::formula::Term;
use ult_core::graph::EdgeId;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::Answer;

/// Remembers which label literals contradict which edges.
///
/// Each unsatisfiable core found is kept: an edge whose labels include all its literals is
/// infeasible without a question.
#[derive(Default)]
pub(super) struct EdgeChecks {
    /// Sets of literals (before and after the step) that contradict the edge's formula.
    cores: BTreeMap<EdgeId, Vec<Vec<Term>>>,
}

impl EdgeChecks {
    /// Whether `before && formula(edge) && after'` may be satisfiable.
    pub(super) fn feasible(
        &mut self,
        blocks: &mut Blocks<'_, '_>,
        edge: EdgeId,
        before: &[Term],
        after: &[Term],
        stats: &mut Statistics,
    ) -> Result<bool, Reason> {
        let mut assumptions = before.to_vec();
        assumptions.extend(after.iter().map(|&literal| blocks.after(edge, literal)));
        let cores = self.cores.entry(edge).or_default();
        if cores
            .iter()
            .any(|core| core.iter().all(|literal| assumptions.contains(literal)))
        {
            stats.cached_edges += 1;
            return Ok(false);
        }
        let Some(solver) = blocks.solver(edge) else {
            return Ok(true);
        };
        match solver.check(&assumptions, Some(limits::EDGE)) {
            Answer::Sat => Ok(true),
            Answer::Unsat => {
                cores.push(solver.core());
                Ok(false)
            }
            Answer::Unknown(_) => {
                blocks.session.control().check()?;
                Ok(true)
            }
        }
    }
}
