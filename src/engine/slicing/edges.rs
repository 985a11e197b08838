//! Is there a step along an edge between two labels?

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use crate::formula::{Term, Terms, Version};
use crate::graph::{EdgeId, ProgramGraph};
use crate::reason::Reason;
use crate::solver::{Answer, Session, Solver};
use crate::stats::Statistics;

/// Longer questions about one edge are left open: the edge then counts as feasible, which is
/// always sound.
const LIMIT: Duration = Duration::from_secs(5);

/// Remembers which label literals contradict which blocks.
///
/// Each unsatisfiable core found is kept: an edge whose labels include all its literals is
/// infeasible without a question.
pub struct EdgeChecks<'s, 't> {
    session: &'s Session<'t>,
    graph: &'s ProgramGraph,
    blocks: BTreeMap<EdgeId, Block<'s, 't>>,
}

/// What is known about one block.
struct Block<'s, 't> {
    /// Holds the block's formula for good; labels are assumptions. `None` if the solver does not
    /// understand the formula.
    solver: Option<Solver<'s, 't>>,
    /// Sets of literals (before and after the step) that contradict the block.
    cores: Vec<Vec<Term>>,
    /// State formulas as they read after the step.
    after: HashMap<Term, Term>,
}

impl<'s, 't> EdgeChecks<'s, 't> {
    /// Nothing known yet.
    pub fn new(session: &'s Session<'t>, graph: &'s ProgramGraph) -> EdgeChecks<'s, 't> {
        EdgeChecks {
            session,
            graph,
            blocks: BTreeMap::new(),
        }
    }

    /// Whether `before && formula(block) && after'` may be satisfiable.
    pub fn feasible(
        &mut self,
        block: EdgeId,
        before: &[Term],
        after: &[Term],
        stats: &mut Statistics,
    ) -> Result<bool, Reason> {
        let session = self.session;
        let terms = session.terms();
        let transition = &self.graph.graph[block].transition;
        let known = self.blocks.entry(block).or_insert_with(|| {
            let mut solver = session.solver();
            Block {
                solver: solver.assert(transition.formula).is_ok().then_some(solver),
                cores: Vec::new(),
                after: HashMap::new(),
            }
        });
        let mut assumptions = before.to_vec();
        for &literal in after {
            let primed = *known
                .after
                .entry(literal)
                .or_insert_with(|| after_step(terms, &transition.changed, literal));
            assumptions.push(primed);
        }
        if known
            .cores
            .iter()
            .any(|core| core.iter().all(|literal| assumptions.contains(literal)))
        {
            stats.cached_edges += 1;
            return Ok(false);
        }
        let Some(solver) = &mut known.solver else {
            return Ok(true);
        };
        match solver.check(&assumptions, Some(LIMIT)) {
            Answer::Sat => Ok(true),
            Answer::Unsat => {
                known.cores.push(solver.core());
                Ok(false)
            }
            Answer::Unknown(_) => {
                session.control().check()?;
                Ok(true)
            }
        }
    }
}

/// A state formula after a step: the variables that the step may change are primed; the others
/// keep their value, so they need no copy.
fn after_step(
    terms: &Terms,
    changed: &BTreeSet<Arc<str>>,
    formula: Term,
) -> Term {
    terms.with_versions(formula, |var| match var.version {
        Version::Current if changed.contains(&var.name) => Version::Next,
        other => other,
    })
}
