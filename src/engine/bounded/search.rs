//! The search: deeper and deeper, until everything is decided.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use petgraph::Direction;

use super::backward::Backward;
use super::forward::{Forward, is_true};
use super::layers::Writer;
use super::needed::needed;
use crate::facts::Facts;
use crate::invariants::Lemmas;
use crate::limits;
use crate::path::Path;
use crate::task::{Outcome, Task};
use ult_core::control::Control;
use ult_core::formula::Term;
use ult_core::graph::evidence::{Argument, Invariants, Run};
use ult_core::graph::{EdgeId, LocationId};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::{Answer, Failure, Session, Solver};

/// What the generator of auxiliary invariants has to say.
pub(super) enum News {
    /// More invariants, each inductive together with those before it.
    More(Lemmas),
    /// Nothing at the moment.
    NothingYet,
    /// Nothing any more.
    Ended,
}

/// How the search gets auxiliary invariants.
pub(super) type Feed<'f> = &'f mut dyn FnMut() -> News;

/// What is known about one error location.
enum Status {
    /// Nothing yet. It is not reached in `depth` segments or fewer.
    Open {
        depth: u32,
    },
    /// As `Open`; but the solver gave up on whether it is reached in one segment more.
    Stuck {
        depth: u32,
        reason: Reason,
    },
    Reached(Run),
    /// It is reached, but the run cannot be told.
    NoRun(Reason),
    Excluded(Argument),
}

impl Status {
    /// In how many segments it is known not to be reached, while it is not decided.
    fn depth(&self) -> Option<u32> {
        match self {
            Status::Open { depth } | Status::Stuck { depth, .. } => Some(*depth),
            Status::Reached(_) | Status::NoRun(_) | Status::Excluded(_) => None,
        }
    }
}

/// One run of an engine.
pub(super) struct Search<'s> {
    writer: Writer<'s>,
    facts: &'s Facts,
    status: BTreeMap<LocationId, Status>,
    /// The auxiliary invariants that the step case made use of, and what they depend on.
    known: Lemmas,
    /// The locations that no run gets to, according to auxiliary invariants.
    dead: BTreeSet<LocationId>,
}

impl<'s> Search<'s> {
    /// Nothing decided yet.
    pub(super) fn new(task: &Task<'s>) -> Search<'s> {
        let (terms, graph) = (task.terms, task.graph);
        let open = |error| (error, Status::Open { depth: 0 });
        Search {
            writer: Writer { terms, graph },
            facts: task.facts,
            status: graph.errors().map(open).collect(),
            known: Lemmas::new(),
            dead: BTreeSet::new(),
        }
    }

    /// The locations from which edges lead to the given ones, and those; not through dead ones.
    fn of_interest(&self, goals: &BTreeSet<LocationId>) -> BTreeSet<LocationId> {
        let graph = &self.writer.graph.graph;
        let mut found = goals.clone();
        let mut work: Vec<LocationId> = goals.iter().copied().collect();
        while let Some(location) = work.pop() {
            for source in graph.neighbors_directed(location, Direction::Incoming) {
                if !self.dead.contains(&source) && found.insert(source) {
                    work.push(source);
                }
            }
        }
        found
    }

    /// Decides as much as it can before `control` stops it; by k-induction as well if there is a
    /// feed.
    pub(super) fn run(
        mut self,
        control: &Control,
        feed: Option<Feed<'_>>,
        stats: &mut Statistics,
    ) -> Outcome {
        let session = Session::new(self.writer.terms, &self.writer.graph.axioms, control);
        let end = self.deepen(&session, feed, stats);
        session.take_calls(stats);
        self.outcome(end)
    }

    /// What was found out; `end` says why the search ended early.
    fn outcome(self, end: Result<(), Reason>) -> Outcome {
        let mut outcome = Outcome::default();
        let mut invariants = Invariants::default();
        for (error, status) in self.status {
            match (status, &end) {
                (Status::Reached(run), _) => {
                    outcome.runs.insert(error, run);
                }
                (Status::NoRun(reason) | Status::Stuck { reason, .. }, _) => {
                    outcome.undecided.insert(error, reason);
                }
                (Status::Open { .. }, Err(reason)) => {
                    outcome.undecided.insert(error, reason.clone());
                }
                (Status::Open { .. }, Ok(())) => {
                    let text = "the search ended without a decision";
                    let reason = Reason::Internal(text.into());
                    outcome.undecided.insert(error, reason);
                }
                (Status::Excluded(argument), _) => {
                    if argument != Argument::Inductive(NonZeroU32::MIN) {
                        invariants.arguments.insert(error, argument);
                    }
                    continue;
                }
            }
            invariants.exempt.insert(error);
        }
        let graph = self.writer.graph;
        for location in graph.graph.node_indices() {
            if location != graph.initial && graph.graph[location].error.is_none() {
                let known = self.known.get(&location).into_iter().flatten().copied();
                invariants.at.insert(location, self.writer.terms.and(known));
            }
        }
        outcome.invariants = Some(invariants);
        outcome
    }

    /// The errors that are not decided.
    fn undecided(&self) -> BTreeSet<LocationId> {
        let undecided = self.status.iter().filter(|(_, s)| s.depth().is_some());
        undecided.map(|(&error, _)| error).collect()
    }

    /// The errors whose next depth is to be asked about.
    fn open(&self) -> BTreeSet<LocationId> {
        let open = self.status.iter();
        open.filter(|(_, status)| matches!(status, Status::Open { .. }))
            .map(|(&error, _)| error)
            .collect()
    }

    fn deepen(
        &mut self,
        session: &Session<'_>,
        feed: Option<Feed<'_>>,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        let mut step = feed.is_some().then(|| Step::new(session, self.writer));
        let end = self.alternate(session, feed, &mut step, stats);
        if let Some(step) = step {
            let ff = self.writer.terms.ff();
            let dead = self.dead.iter().map(|&location| (location, ff));
            let used: BTreeSet<_> = step.used.iter().copied().chain(dead).collect();
            let known = step.backward.known();
            self.known = needed(session, self.writer.graph, known, &used);
        }
        end
    }

    /// Base case and step case in turn.
    fn alternate<'t>(
        &mut self,
        session: &Session<'t>,
        mut feed: Option<Feed<'_>>,
        step: &mut Option<Step<'_, 't>>,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        let control = session.control();
        let mut forward = Forward::new(session, self.writer);
        self.at_once(&mut forward)?;
        let start = Instant::now();
        let mut is_asked = true;
        while !self.undecided().is_empty() {
            control.check()?;
            let mut waiting = false;
            if let (Some(step), Some(feed)) = (step.as_mut(), &mut feed) {
                waiting = step.listen(feed)?;
                self.dead = step.backward.dead();
                step.ask(&mut self.status, start.elapsed())?;
            }
            let open = self.open();
            if open.is_empty() {
                if !waiting {
                    break;
                }
                std::thread::sleep(limits::NAP_BOUNDED);
                continue;
            }
            let before = Instant::now();
            if is_asked {
                let of_interest = self.of_interest(&open);
                forward.extend(&of_interest).map_err(Reason::from)?;
                let depth = u64::from(forward.depth());
                stats.depth = stats.depth.max(depth);
                control
                    .meter()
                    .count(|stats| stats.depth = stats.depth.max(depth));
            }
            // While invariants may arrive, no question is worth all the time left.
            let limit = limits::UNROLLING + start.elapsed() / 4;
            is_asked = self.base(&mut forward, session, waiting.then_some(limit), stats)?;
            if is_asked {
                self.forward_condition(&mut forward, limit)?;
            }
            if let Some(step) = step.as_mut() {
                step.base_time += before.elapsed();
            }
        }
        Ok(())
    }

    /// The initial location may be an error location.
    fn at_once(&mut self, forward: &mut Forward<'_, '_>) -> Result<(), Reason> {
        let initial = self.writer.graph.initial;
        if let Some(status) = self.status.get_mut(&initial) {
            let run = match forward.solver.check(&[], None) {
                Answer::Sat => {
                    let model = forward.solver.model();
                    model.and_then(|model| forward.run(&model, &[]))
                }
                Answer::Unknown(failure) => Err(failure),
                Answer::Unsat => Err(Failure::Incomplete("the axioms have no model".into())),
            };
            *status = match run {
                Ok(run) => Status::Reached(run),
                Err(failure) => Status::NoRun(failure.into()),
            };
        }
        Ok(())
    }

    /// Whether error locations are reached at the depth of the unrolling. Tells whether that was
    /// decided, as far as the solver can, without a question that takes longer than the limit.
    fn base(
        &mut self,
        forward: &mut Forward<'_, '_>,
        session: &Session<'_>,
        limit: Option<Duration>,
        stats: &mut Statistics,
    ) -> Result<bool, Reason> {
        let depth = forward.depth();
        let mut together = true;
        loop {
            let asked: Vec<(LocationId, Term)> = self
                .open()
                .into_iter()
                .filter(|error| self.status[error].depth().is_some_and(|d| d < depth))
                .filter_map(|error| Some((error, *forward.last().get(&error)?)))
                .take(if together { usize::MAX } else { 1 })
                .collect();
            if asked.is_empty() {
                break;
            }
            session.control().check()?;
            let any = self.writer.terms.or(asked.iter().map(|&(_, here)| here));
            match forward.solver.check(&[any], limit) {
                Answer::Unsat => {
                    for (error, here) in asked {
                        self.status.insert(error, Status::Open { depth });
                        let never = self.writer.terms.not(here);
                        forward.solver.assert(never).map_err(Reason::from)?;
                    }
                }
                Answer::Sat => {
                    let model = forward.solver.model().map_err(Reason::from)?;
                    let mut reached = None;
                    for (error, here) in asked {
                        if is_true(&model, here).map_err(Reason::from)? {
                            reached = Some(error);
                            break;
                        }
                    }
                    let Some(error) = reached else {
                        let text = "a model in which no location is reached";
                        return Err(Reason::SolverFailed(text.into()));
                    };
                    let edges = forward.edges(&model, error).map_err(Reason::from)?;
                    stats.paths += 1;
                    let run = forward
                        .run(&model, &edges)
                        .or_else(|_| self.run_along(session, &edges));
                    let status = match run {
                        Ok(run) => {
                            self.facts.found(error, &run, false);
                            Status::Reached(run)
                        }
                        Err(failure) => {
                            session.control().check()?;
                            Status::NoRun(failure.into())
                        }
                    };
                    self.status.insert(error, status);
                }
                Answer::Unknown(Failure::Timeout) if limit.is_some() => {
                    session.control().check()?;
                    return Ok(false);
                }
                Answer::Unknown(failure) => {
                    session.control().check()?;
                    if let [(error, _)] = asked[..] {
                        let status = Status::Stuck {
                            depth: depth - 1,
                            reason: failure.into(),
                        };
                        self.status.insert(error, status);
                    } else {
                        together = false;
                    }
                }
            }
        }
        // Those that no walk of this length leads to.
        for status in self.status.values_mut() {
            if let Status::Open { depth: known } = status {
                *known = depth;
            }
        }
        Ok(true)
    }

    /// A run along given edges, by a question of its own: the model of the unrolling says more
    /// than that, and may have values where none are needed that cannot be written down.
    fn run_along(&self, session: &Session<'_>, edges: &[EdgeId]) -> Result<Run, Failure> {
        let run = Path::bare(session, self.writer.graph, edges).follow(None)?;
        run.ok_or_else(|| Failure::UnexpectedOutput("a model of a path without one".into()))
    }

    /// If no run gets to the depth of the unrolling and to a location with a way to an open error,
    /// those are not reached at all.
    fn forward_condition(
        &mut self,
        forward: &mut Forward<'_, '_>,
        limit: Duration,
    ) -> Result<(), Reason> {
        let open = self.open();
        let Some(depth) = NonZeroU32::new(forward.depth()) else {
            return Ok(());
        };
        if open.is_empty() {
            return Ok(());
        }
        let of_interest = self.of_interest(&open);
        let further = forward.last().iter();
        let further: Vec<Term> = further
            .filter(|(location, _)| !open.contains(location) && of_interest.contains(location))
            .map(|(_, &here)| here)
            .collect();
        let ended =
            further.is_empty() || ends(&mut forward.solver, self.writer.terms.or(further), limit)?;
        if ended {
            for error in open {
                let status = Status::Excluded(Argument::Bounded(depth));
                self.status.insert(error, status);
            }
        }
        Ok(())
    }
}

/// Whether the solver excludes the question. When it does not know, it does not.
fn ends(solver: &mut Solver<'_, '_>, question: Term, limit: Duration) -> Result<bool, Reason> {
    let answer = solver.check(&[question], Some(limit));
    if let Answer::Unknown(_) = answer {
        solver.session().control().check()?;
    }
    Ok(answer == Answer::Unsat)
}

/// The step case, and what is known about its chances.
struct Step<'s, 't> {
    backward: Backward<'s, 't>,
    /// Something was assumed since the last question.
    fresh: bool,
    time: Duration,
    base_time: Duration,
    ended: bool,
    /// What its answers made use of.
    used: BTreeSet<(LocationId, Term)>,
}

impl<'s, 't> Step<'s, 't> {
    fn new(session: &'s Session<'t>, writer: Writer<'s>) -> Step<'s, 't> {
        Step {
            backward: Backward::new(session, writer),
            fresh: false,
            time: Duration::ZERO,
            base_time: Duration::ZERO,
            ended: false,
            used: BTreeSet::new(),
        }
    }

    /// Takes what the generator has to say; tells whether there may be more.
    fn listen(&mut self, feed: &mut Feed<'_>) -> Result<bool, Reason> {
        while !self.ended {
            match feed() {
                News::More(known) => {
                    self.backward.assume(&known).map_err(Reason::from)?;
                    self.fresh = true;
                }
                News::NothingYet => return Ok(true),
                News::Ended => self.ended = true,
            }
        }
        Ok(false)
    }

    /// Asks which of the undecided errors no walk of enough segments ends in. The step has one
    /// segment more than the base case excludes, so that both together are a proof.
    fn ask(
        &mut self,
        status: &mut BTreeMap<LocationId, Status>,
        elapsed: Duration,
    ) -> Result<(), Reason> {
        let depths = status.values().filter_map(Status::depth);
        let Some(base) = depths.max() else {
            return Ok(());
        };
        let deeper = self.backward.depth() <= base;
        // Without anything new, only a deeper step has a chance, and not at any price.
        if !self.fresh && (!deeper || self.time > self.base_time * 2 + limits::UNROLLING) {
            return Ok(());
        }
        let start = Instant::now();
        while self.backward.depth() <= base {
            self.backward.extend().map_err(Reason::from)?;
        }
        self.fresh = false;
        let depth = self.backward.depth();
        let mut asked: Vec<(LocationId, Term)> = status
            .iter()
            .filter(|(_, status)| status.depth().is_some_and(|base| depth <= base + 1))
            .filter_map(|(&error, _)| Some((error, self.backward.ends_in(error)?)))
            .collect();
        let result = self.narrow(&mut asked, limits::UNROLLING + elapsed / 4);
        self.time += start.elapsed();
        if result? {
            let argument = NonZeroU32::new(depth).map(Argument::Inductive);
            for (error, _) in asked {
                if let Some(argument) = argument {
                    status.insert(error, Status::Excluded(argument));
                }
            }
        }
        Ok(())
    }

    /// Takes away errors that some walk ends in until none is left that does; tells whether that
    /// was found out.
    fn narrow(
        &mut self,
        asked: &mut Vec<(LocationId, Term)>,
        limit: Duration,
    ) -> Result<bool, Reason> {
        let control = self.backward.solver.session().control();
        let terms = self.backward.solver.session().terms();
        while !asked.is_empty() {
            control.check()?;
            let any = terms.or(asked.iter().map(|&(_, here)| here));
            match self.backward.check(any, Some(limit)) {
                Answer::Unsat => {
                    self.used.extend(self.backward.used());
                    return Ok(true);
                }
                Answer::Unknown(_) => {
                    control.check()?;
                    return Ok(false);
                }
                Answer::Sat => {}
            }
            let model = self.backward.solver.model().map_err(Reason::from)?;
            let before = asked.len();
            let mut kept = Vec::new();
            for &(error, here) in asked.iter() {
                if !is_true(&model, here).map_err(Reason::from)? {
                    kept.push((error, here));
                }
            }
            *asked = kept;
            if asked.len() == before {
                return Ok(false);
            }
        }
        Ok(false)
    }
}
