//! Horn clauses: the whole graph as one set of constrained Horn clauses ([`clauses`]), solved by
//! Spacer.
//!
//! A solution is a predicate for each location, that is an invariant. A derivation of falsity is a
//! path to an error location; a model of its formula is the run. After a run the other errors are
//! asked about again.
//!
//! Choices:
//!
//! * *All errors at once*: one query for all of them shares what it learns. Only when it takes too
//!   long, each error gets a query of its own.
//! * *What is known*: auxiliary invariants are conjoined to the clauses' bodies.
//! * *Trees*: where edges have premises, the clauses are those of the graph before the reductions, and a derivation is a trace with
//!   branches ([`trees`]).
//! * *Quantifiers* are left out of the clauses, which allows more: solutions stay valid, and a
//!   derivation counts only if its path's formula, which has them all, has a model.

pub mod clauses;
pub mod procedures;
mod resolution;
mod search;
#[cfg(test)]
mod tests;
mod trees;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use self::clauses::{Encoded, encode};
use self::search::{follow, shortest_run};
use crate::blocks::Blocks;
use crate::invariants::{Auxiliary, Lemmas, known};
use crate::limits;
use crate::task::{Claims, Engine, Outcome, Task};
use ult_core::formula::Term;
use ult_core::graph::evidence::Run;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_interpolate::simplify::simplified;
use ult_smt::Session;
use ult_smt::horn::{Fact, Solved, Tuning};

/// The engine and its settings.
#[derive(Clone, Debug, Default)]
pub struct HornClauses {
    /// What is known about the locations before the first query.
    pub auxiliary: Auxiliary,
}

impl Engine for HornClauses {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let is_tree = task.original.has_premises();
        let graph = if is_tree { task.original } else { task.graph };
        let session = Session::new(task.terms, &graph.axioms, task.control);
        let known = match is_tree {
            true => Lemmas::new(),
            false => {
                let mut blocks = Blocks::new(&session, graph);
                known(task, &mut blocks, self.auxiliary, stats)
            }
        };
        let mut search = Search {
            graph,
            session: &session,
            known: &known,
            invariants: known.clone(),
            outcome: Outcome::default(),
        };
        search.decide(stats);
        let Search {
            invariants,
            mut outcome,
            ..
        } = search;
        outcome.claim(readable(&session, graph, invariants));
        session.take_calls(stats);
        match is_tree {
            true => about_original(outcome),
            false => outcome,
        }
    }
}

/// The same about the graph before the reductions.
fn about_original(outcome: Outcome) -> Outcome {
    Outcome {
        original: Claims {
            runs: outcome.runs,
            invariants: outcome.invariants,
            undecided: outcome.undecided,
        },
        ..Outcome::default()
    }
}

/// The conjunctions, simplified: they are what people read. Every location has one.
fn readable(
    session: &Session<'_>,
    graph: &ProgramGraph,
    invariants: Lemmas,
) -> BTreeMap<LocationId, Term> {
    let terms = session.terms();
    let mut budget = 200;
    graph
        .graph
        .node_indices()
        .filter(|&location| location != graph.initial && graph.graph[location].error.is_none())
        .map(|location| {
            let formulas = invariants.get(&location).into_iter().flatten().copied();
            let formula = terms.and(formulas);
            (location, simplified(session, formula, &mut budget))
        })
        .collect()
}

/// The state of one run of the engine.
struct Search<'s, 't> {
    graph: &'s ProgramGraph,
    session: &'s Session<'t>,
    known: &'s Lemmas,
    /// Found so far; inductive.
    invariants: Lemmas,
    outcome: Outcome,
}

/// A derivation that may be due to what the clauses leave out.
fn left_out() -> Reason {
    Reason::Unsupported("quantifiers in Horn clauses".into(), None)
}

/// Why a set of errors is not decided.
enum End {
    /// This error cannot be decided; the others may be.
    Error(LocationId, Reason),
    /// Nothing is known.
    All(Reason),
}

impl Search<'_, '_> {
    fn decide(&mut self, stats: &mut Statistics) {
        let mut open: BTreeSet<LocationId> = self.graph.errors().collect();
        // All at once, in one way and the other.
        let alone = open.len() == 1;
        let plain = [
            (Tuning::Plain, if alone { 6 } else { 4 }),
            (Tuning::Local, 5),
        ];
        // What is found with all predicates needs nothing more, and many systems are easy.
        let trees = [
            (Tuning::Direct, 2),
            (Tuning::Local, 5),
            (Tuning::Global, 8),
            (Tuning::Plain, 10),
        ];
        let tunings = match self.graph.has_premises() {
            true => &trees[..],
            false => &plain[..],
        };
        let mut end = Ok(());
        for &(tuning, tenths) in tunings {
            let remaining = self.session.control().remaining();
            let last = alone && Some(tuning) == tunings.last().map(|last| last.0);
            let limit = remaining.map_or(limits::HORN_TOGETHER, |left| left * tenths / 10);
            end = self.together(&mut open, tuning, (!last).then_some(limit), stats);
            if end.is_ok() {
                return;
            }
        }
        if let (true, Err(reason)) = (alone, &end) {
            self.give_up(&open, reason);
            return;
        }
        // Each on its own.
        let errors: Vec<LocationId> = open.iter().copied().collect();
        for (i, &error) in errors.iter().enumerate() {
            let left = u32::try_from(errors.len() - i).unwrap_or(u32::MAX);
            let share = self.session.control().remaining().map(|time| time / left);
            let mut one = BTreeSet::from([error]);
            if let Err(reason) = self.together(&mut one, Tuning::Plain, share, stats) {
                self.give_up(&one, &reason);
            }
        }
    }

    fn give_up(&mut self, errors: &BTreeSet<LocationId>, reason: &Reason) {
        for &error in errors {
            self.outcome.undecided.insert(error, reason.clone());
        }
    }

    /// Decides the errors in `open` by one query after the other, and takes those decided out of
    /// it. An error says why the rest is open.
    fn together(
        &mut self,
        open: &mut BTreeSet<LocationId>,
        tuning: Tuning,
        limit: Option<Duration>,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        let deadline = limit.map(|limit| Instant::now() + limit);
        while !open.is_empty() {
            self.session.control().check()?;
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Err(Reason::SolverUnknown("timeout of one question".into()));
            }
            let terms = self.session.terms();
            let encoded = encode(terms, self.graph, self.known, open);
            match encoded.clauses.solve(self.session, tuning, left) {
                Solved::Solution(found) => {
                    let formulas = encoded
                        .clauses
                        .complete(self.session, found, left)
                        .ok_or_else(|| {
                            Reason::SolverUnknown("a solution with quantifiers".into())
                        })?;
                    for (&location, formula) in encoded.locations.iter().zip(formulas) {
                        self.invariants.entry(location).or_default().push(formula);
                    }
                    open.clear();
                }
                Solved::GaveUp(failure) => {
                    self.session.control().check()?;
                    return Err(failure.into());
                }
                Solved::Derivable {
                    trace,
                    facts,
                    abstracted,
                } => {
                    stats.paths += 1;
                    // Clauses with several atoms may have no part in it.
                    let clauses = &encoded.clauses.clauses;
                    let found = match clauses.iter().any(|clause| clause.body.len() > 1) {
                        true => self.tree_of(&encoded, facts.as_deref(), abstracted),
                        false => self.run_of(&encoded, trace.as_deref(), abstracted, open),
                    };
                    match found {
                        Ok((error, run)) => {
                            open.remove(&error);
                            self.outcome.runs.insert(error, run);
                        }
                        Err(End::Error(error, reason)) => {
                            self.session.control().check()?;
                            open.remove(&error);
                            self.outcome.undecided.insert(error, reason);
                        }
                        Err(End::All(reason)) => return Err(reason),
                    }
                }
            }
        }
        Ok(())
    }

    /// The trace with branches that a derivation is.
    fn tree_of(
        &self,
        encoded: &Encoded,
        facts: Option<&[Fact]>,
        abstracted: bool,
    ) -> Result<(LocationId, Run), End> {
        let unread = || match abstracted {
            true => End::All(left_out()),
            false => End::All(Reason::SolverUnknown("a derivation without facts".into())),
        };
        let facts = facts.ok_or_else(unread)?;
        match trees::trace(self.session, self.graph, encoded, facts) {
            Ok(found) => found.ok_or_else(unread),
            Err(reason) => Err(End::All(reason)),
        }
    }

    /// The run behind a derivation.
    fn run_of(
        &self,
        encoded: &Encoded,
        trace: Option<&[usize]>,
        abstracted: bool,
        open: &BTreeSet<LocationId>,
    ) -> Result<(LocationId, Run), End> {
        if let Some((error, path)) = trace.and_then(|trace| self.path(encoded, trace)) {
            match follow(self.session, self.graph, &path) {
                Ok(Some(run)) => return Ok((error, run)),
                Ok(None) if abstracted => {
                    return Err(End::Error(error, left_out()));
                }
                Ok(None) => {}
                Err(reason) => return Err(End::Error(error, reason)),
            }
        }
        match shortest_run(self.session, self.graph, open) {
            Ok(Some(found)) => Ok(found),
            Ok(None) if abstracted => Err(End::All(left_out())),
            Ok(None) => Err(End::All(Reason::SolverUnknown(
                "a derivation without a trace".into(),
            ))),
            Err(reason) => Err(End::All(reason)),
        }
    }

    /// The path from the initial location that a trace describes, if it does.
    fn path(&self, encoded: &Encoded, trace: &[usize]) -> Option<(LocationId, Vec<EdgeId>)> {
        let mut at = self.graph.initial;
        let mut path = Vec::with_capacity(trace.len());
        for &number in trace.iter().rev() {
            let Some(edge) = *encoded.edges.get(number)? else {
                continue;
            };
            let (source, target) = self.graph.graph.edge_endpoints(edge)?;
            if source != at {
                return None;
            }
            at = target;
            path.push(edge);
        }
        self.graph.graph[at].error.is_some().then_some((at, path))
    }
}
