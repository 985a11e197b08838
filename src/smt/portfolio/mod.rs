//! The tactics for one question, and who goes first.
//!
//! | tactic | how | good at |
//! |---|---|---|
//! | [`Tactic::Session`] | the incremental session, with assumptions | all the small questions, each a little different from the last |
//! | [`Tactic::Fresh`] | a solver that is asked once, in a context and on a thread of its own | large questions, which Z3 then prepares as a whole |
//! | [`Tactic::Prune`] | [`branch_and_prune`] | polynomials over floating-point numbers |
//!
//! A question begins in the session. One that is not answered soon is asked with the other tactics as
//! well, beside the session if there is a core for it, else in turns that become longer. The first
//! answer counts. (Floating-point numbers are tried as ranges in between.) That one tactic gives up is the end only when no other is left.
//!
//! Which tactic is first depends on the clock, so models and cores may differ from run to run, and with
//! them what an engine does next. Verdicts do not: each tactic answers the same question, `Unsat` is Z3's
//! own word whichever of its solvers says it, a model of a fresh solver counts only if the session's
//! Z3 finds all formulas true in it, and what engines make of answers is proved or executed again.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | who works when |
//! | `fresh` | a question for a fresh solver, and its model back |
//! | `helper` | the thread |
//! | `adaptive` | which tactic has been winning |

mod adaptive;
mod fresh;
mod helper;

#[cfg(test)]
pub(super) mod tests;

use std::time::{Duration, Instant};

pub(super) use adaptive::Adaptive;
use adaptive::Plan;
use helper::{Finding, Helper, Progress};

use super::answer::{Failure, tighter};
use super::branch_and_prune::{self, Outcome};
use super::features::Profile;
use super::incremental::Solver;
use super::raw::{self, Truth};
use crate::limits;
use ult_core::formula::Term;

/// A tactic: how to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tactic {
    /// The incremental session.
    Session,
    /// A solver that is asked once.
    Fresh,
    /// Ranges of numbers that are cut into pieces.
    Prune,
}

impl Tactic {
    /// For logs and statistics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tactic::Session => "session",
            Tactic::Fresh => "fresh",
            Tactic::Prune => "branch-and-prune",
        }
    }
}

/// What a tactic found out.
pub(super) enum Found {
    /// The session's solver says so, and has the model or the core.
    Session(Truth),
    /// A model, in the session's context.
    Model(raw::Model),
    /// There is none; nobody knows which assumptions that needs.
    Refuted,
}

/// An answer, and the tactic that found it.
type Answered = (Tactic, Found);

/// A question on its way.
struct Asking<'a, 's, 't> {
    solver: &'a mut Solver<'s, 't>,
    assumptions: &'a [Term],
    literals: &'a [raw::Ast],
    /// When the time for the question is over.
    end: Option<Instant>,
    /// Why the session gave up.
    failure: Failure,
    session_is_open: bool,
    fresh_is_open: bool,
    helper: Option<Helper>,
    /// What the helper found out and nobody has looked at.
    finding: Option<Finding>,
    /// What it was asked, in the session's context.
    told: Vec<raw::Ast>,
}

/// Asks with one tactic after the other, or side by side. `literals` stand for the assumptions in the
/// session.
pub(super) fn ask(
    solver: &mut Solver<'_, '_>,
    assumptions: &[Term],
    literals: &[raw::Ast],
    limit: Option<Duration>,
) -> Result<Answered, Failure> {
    let start = Instant::now();
    let session = solver.session();
    let profile = solver.settle()?;
    let allowance = session.allowance(limit);
    let mut asking = Asking {
        solver,
        assumptions,
        literals,
        end: allowance.and_then(|time| Instant::now().checked_add(time)),
        failure: Failure::Timeout,
        session_is_open: true,
        fresh_is_open: match profile {
            Profile::Triggers => false,
            Profile::General => session.has_nlsat,
            Profile::Bits | Profile::Floats | Profile::Linear => true,
        },
        helper: None,
        finding: None,
        told: Vec::new(),
    };
    let result = asking.run(profile, allowance);
    asking.stop_helper();
    session.count(|calls| calls.solver_call(start.elapsed()));
    result.map_err(|failure| match failure {
        Failure::Timeout | Failure::Incomplete(_) => {
            session.ending().map_or(failure, Failure::from)
        }
        other => other,
    })
}

impl Asking<'_, '_, '_> {
    fn run(&mut self, profile: Profile, allowance: Option<Duration>) -> Result<Answered, Failure> {
        let session = self.solver.session();
        let mut plan = session.adaptive.borrow().plan(profile);
        plan.read(self.solver.asserted());
        // So little time is not worth another context.
        let short =
            allowance.is_some_and(|time| time <= plan.patience.saturating_add(limits::ALONE));
        if !plan.patience.is_zero() && self.fresh_is_open {
            let time = (!short).then_some(plan.patience);
            if let Some(found) = self.session(time)? {
                return Ok((Tactic::Session, found));
            }
        }
        // It takes little time, whatever comes out.
        if profile == Profile::Floats
            && !short
            && let Some(found) = self.prune()?
        {
            return Ok((Tactic::Prune, found));
        }
        let answer = self.all_tactics(plan)?;
        session.adaptive.borrow_mut().won(profile, answer.0);
        Ok(answer)
    }

    /// After a short time in the session.
    fn all_tactics(&mut self, plan: Plan) -> Result<Answered, Failure> {
        let mut head_start = plan.head_start;
        let mut slice = limits::SLICE;
        loop {
            if self.is_over() || !(self.session_is_open || self.fresh_is_open) {
                return Err(self.failure.clone());
            }
            let has_core = plan.side_by_side && (self.helper.is_some() || helper::has_core());
            self.start_fresh();
            let pause = match (self.session_is_open, has_core) {
                (false, _) => Duration::MAX,
                (true, true) => std::mem::take(&mut head_start),
                (true, false) => slice.max(std::mem::take(&mut head_start)),
            };
            if let Some(found) = self.wait(pause)? {
                return Ok((Tactic::Fresh, found));
            }
            if !has_core {
                self.stop_helper();
            }
            let in_turns = !has_core && self.fresh_is_open;
            if self.session_is_open
                && !self.is_over()
                && let Some(found) = self.session(in_turns.then_some(slice))?
            {
                return Ok((Tactic::Session, found));
            }
            slice = slice.saturating_mul(2);
        }
    }

    fn left(&self) -> Option<Duration> {
        self.end
            .map(|end| end.saturating_duration_since(Instant::now()))
    }

    fn is_over(&self) -> bool {
        self.left() == Some(Duration::ZERO)
    }

    /// Keeps why the session gave up, if others may go on: not if the run was stopped or there is
    /// no more memory, and not if the question could not be put.
    fn keep(&mut self, failure: Failure) -> Result<(), Failure> {
        match failure {
            Failure::Timeout | Failure::Incomplete(_) => {
                self.failure = failure;
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Counts a try that began at `start`.
    fn count(&self, tactic: Tactic, won: bool, start: Instant) {
        let session = self.solver.session();
        session.count(|calls| calls.tactic(tactic.name(), won, start.elapsed()));
    }

    /// Asks in the session. `None` if it has no answer, or the helper has one.
    fn session(&mut self, time: Option<Duration>) -> Result<Option<Found>, Failure> {
        let start = Instant::now();
        let time = tighter(time, self.left());
        let bell = self.helper.as_ref().map(Helper::bell);
        let waker = self.solver.waker()?;
        // Dropped before the solver is.
        let listening = bell.map(|bell| bell.listen(move || waker.wake()));
        if self.is_found() {
            return Ok(None);
        }
        let answer = self.solver.ask(self.literals, time);
        drop(listening);
        self.count(Tactic::Session, answer.is_ok(), start);
        match answer {
            Ok(truth) => Ok(Some(Found::Session(truth))),
            Err(failure) => {
                self.session_is_open = failure == Failure::Timeout;
                self.keep(failure)?;
                Ok(None)
            }
        }
    }

    /// Cuts ranges into pieces.
    fn prune(&mut self) -> Result<Option<Found>, Failure> {
        let start = Instant::now();
        let session = self.solver.session();
        let control = session.control().within(self.left());
        let formulas = self.solver.formulas(self.assumptions);
        let outcome = branch_and_prune::decide(session.terms(), &formulas, &control);
        let found = match outcome {
            Outcome::Refuted => Some(Found::Refuted),
            // It is only a hint: the solver makes a model of it.
            Outcome::Point(point) => {
                let is_model = self.solver.try_point(self.literals, point)?;
                is_model.then_some(Found::Session(Truth::Sat))
            }
            Outcome::Open => None,
        };
        self.count(Tactic::Prune, found.is_some(), start);
        session.control().check()?;
        Ok(found)
    }

    /// Has a helper at work, if that tactic is open.
    fn start_fresh(&mut self) {
        if self.helper.is_some() || self.finding.is_some() || !self.fresh_is_open {
            return;
        }
        match fresh::start(self.solver, self.assumptions) {
            Ok((helper, told)) => {
                self.helper = Some(helper);
                self.told = told;
            }
            // What the session can be asked, a fresh solver can; if not, that is one tactic less.
            Err(_) => self.fresh_is_open = false,
        }
    }

    /// Ends the helper, if there is one, and counts what it did.
    fn stop_helper(&mut self) {
        if let Some(helper) = self.helper.take() {
            self.count(Tactic::Fresh, false, helper.start_time());
        }
    }

    /// Whether the helper has come to an end.
    fn is_found(&mut self) -> bool {
        self.look(Duration::ZERO);
        self.finding.is_some()
    }

    /// Looks after the helper, for so long at most.
    fn look(&mut self, time: Duration) {
        let Some(helper) = &self.helper else { return };
        match helper.wait(time) {
            Progress::Working => {}
            Progress::Ended(finding) => {
                self.finding = Some(finding);
                self.helper = None;
            }
            Progress::Lost => {
                self.fresh_is_open = false;
                self.helper = None;
            }
        }
    }

    /// Waits for the helper, for so long at most. `None` if it has no answer.
    fn wait(&mut self, time: Duration) -> Result<Option<Found>, Failure> {
        let until = Instant::now().checked_add(time);
        loop {
            self.look(limits::GLANCE.min(time));
            if let Some(finding) = self.finding.take() {
                return self.judge(finding);
            }
            let is_over = self.is_over() || until.is_some_and(|until| Instant::now() >= until);
            self.solver.session().control().check()?;
            if self.helper.is_none() || is_over {
                return Ok(None);
            }
        }
    }

    /// What the helper's finding is worth.
    fn judge(&mut self, finding: Finding) -> Result<Option<Found>, Failure> {
        let session = self.solver.session();
        // Whatever it is, asking again would be the same.
        self.fresh_is_open = false;
        let found = match finding.answer {
            Ok(Truth::Unsat) => Ok(Found::Refuted),
            Ok(_) => fresh::model(session, &finding.apart, &self.told).map(Found::Model),
            Err(failure) => Err(failure),
        };
        session.count(|calls| calls.tactic(Tactic::Fresh.name(), found.is_ok(), finding.time));
        match found {
            Ok(found) => Ok(Some(found)),
            Err(failure @ (Failure::Stopped(_) | Failure::Memory)) => Err(failure),
            // A model that is refused is no answer. The session's reason says more to people.
            Err(_) => Ok(None),
        }
    }
}
