//! One question, put to one or two solvers.
//!
//! The checker asks a single kind of question: is this conjunction unsatisfiable? Only a plain
//! `unsat` of every solver that was asked counts as yes.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::certified::{Certified, Proofs};
use super::finite::FiniteMaps;
use crate::limits;
use ult_core::control::Control;
use ult_core::formula::{Op, Term, Terms};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::smtlib::ExternalSolver;
use ult_smt::{Answer, Failure, Session, Solver, Split};

/// How thorough and how patient the checker is.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The longest time for one question; `None` leaves only the limit of the whole run.
    pub query_limit: Option<Duration>,
    /// A second solver that every question is put to as well: `cvc5`, `z3`, or the command line
    /// of a program that reads SMT-LIB, as [`ExternalSolver::start`] takes it. If it cannot be
    /// started, nothing that needs a solver is confirmed.
    pub second_solver: Option<String>,
    /// Nothing is looked for that would only be warned about.
    pub no_warnings: bool,
    /// Who has proofs, if these alone are to be believed. No solver is asked then.
    pub proofs: Option<Arc<dyn Proofs>>,
}

/// What one solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Unsat,
    Sat,
    Unknown(Reason),
}

/// How much a question may cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    /// The longest time for one question; `None` leaves only the limit of the whole run.
    pub(super) limit: Option<Duration>,
    /// When there is no time for questions any more. None takes more than half of what is left until
    /// then, and one whose parts may be asked instead an eighth.
    pub(super) until: Option<Instant>,
    /// A question with quantifiers that their triggers do not refute is not asked again.
    pub(super) by_triggers: bool,
}

/// How a question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stake {
    /// If it is not refuted, its parts are asked one by one.
    Whole,
    /// It is asked only now.
    Part,
}

/// What a solver tries for a question with quantifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tries {
    /// In which orders they are instantiated by their triggers.
    orders: &'static [Split],
    /// Whether models are looked for then.
    models: bool,
}

impl Tries {
    /// Where a model is hoped for: triggers find none, but may say soon that there is none.
    const FOR_A_MODEL: Tries = Tries {
        orders: &[Split::Goal],
        models: true,
    };
}

impl Effort {
    fn tries(self, stake: Stake) -> Tries {
        let orders: &[Split] = match stake {
            Stake::Whole => &[Split::Goal],
            Stake::Part => &[Split::Goal, Split::Activity],
        };
        Tries {
            orders,
            models: !self.by_triggers,
        }
    }

    /// The longest time for the next question; `None` if there is no end. Fails if there is no time left.
    fn allowance(self, stake: Stake) -> Result<Option<Duration>, Doubt> {
        let share = match stake {
            Stake::Whole => 8,
            Stake::Part => 2,
        };
        let Some(until) = self.until else {
            return Ok(self.limit);
        };
        let left = until.saturating_duration_since(Instant::now());
        if left <= limits::MOMENT {
            return Err(Doubt::Unclear(Reason::Timeout));
        }
        let most = left / share;
        Ok(Some(self.limit.map_or(most, |limit| limit.min(most))))
    }
}

/// Somebody who answers questions about formulas, under the axioms of one graph.
pub(super) trait Prover {
    /// The name, for people.
    fn name(&self) -> String;

    /// Whether the conjunction has a model. Questions are independent of each other.
    fn ask(&mut self, formulas: &[Term], limit: Option<Duration>, tries: Tries) -> Reply;

    /// Moves the counters of the questions asked into the statistics.
    fn take_calls(&mut self, stats: &mut Statistics);
}

/// Z3, with its own sessions that are made when they are needed. Every question gets a
/// new solver, so that answers do not depend on earlier questions.
///
/// What is asked here is hoped to be unsatisfiable. So quantified formulas are instantiated by their
/// triggers at first, in one or two orders; where that does not refute them, the question is asked again, and Z3 looks for
/// models, too.
///
/// How it asks is the solver room's affair: a question that takes long goes to a fresh solver as
/// well (`ult_smt`'s ways to ask). That is the same Z3 and counts as one prover, whichever of its
/// solvers says `unsat`; it takes nothing over from the engines but formulas, neither answers nor
/// which way was good for them. The second solver is asked in any case.
struct Z3<'t> {
    terms: &'t Terms,
    axioms: Rc<[Term]>,
    control: Control,
    /// Where quantified formulas are instantiated by their triggers alone, by order, or models are looked for as well.
    sessions: Vec<(Option<Split>, Session<'t>)>,
}

impl<'t> Z3<'t> {
    fn new(terms: &'t Terms, axioms: Rc<[Term]>, control: &Control) -> Z3<'t> {
        Z3 {
            terms,
            axioms,
            control: control.clone(),
            sessions: Vec::new(),
        }
    }

    /// Whether a quantifier speaks of floating-point numbers, rounding modes, or what is made of them. In models Z3 finds values
    /// that they do not have, as a sixth rounding mode in a datatype, and takes a quantifier that is wrong for one to be refuted.
    fn quantifies_over_floats(&self, formulas: &[Term]) -> bool {
        let terms = self.terms;
        let all = terms.post_order(&[&self.axioms, formulas].concat());
        all.into_iter().any(|term| match terms.op(term) {
            Op::Bind(binder) => (binder.vars.iter()).any(|&var| terms.sort(var).has_floats()),
            _ => false,
        })
    }

    /// The session for a way to ask, made if there is none yet.
    fn session(&mut self, order: Option<Split>) -> &Session<'t> {
        // A question that Z3 dies of is none of the others'.
        self.sessions.retain(|(_, session)| !session.is_lost());
        let known = self.sessions.iter().position(|&(other, _)| other == order);
        let at = known.unwrap_or_else(|| {
            let session = Session::new(self.terms, &self.axioms, &self.control);
            let session = match order {
                Some(split) => session.by_triggers(split),
                None => session,
            };
            self.sessions.push((order, session));
            self.sessions.len() - 1
        });
        &self.sessions[at].1
    }
}

/// The question, told to a new solver of the session.
fn solver_with<'s, 't>(
    session: &'s Session<'t>,
    formulas: &[Term],
) -> Result<Solver<'s, 't>, Failure> {
    let mut solver = session.solver();
    for &formula in formulas {
        solver.assert(formula)?;
    }
    Ok(solver)
}

impl Prover for Z3<'_> {
    fn name(&self) -> String {
        ult_smt::z3_version()
    }

    fn ask(&mut self, formulas: &[Term], limit: Option<Duration>, tries: Tries) -> Reply {
        let start = Instant::now();
        let orders = tries.orders.iter().copied().map(Some);
        let models = tries.models && !self.quantifies_over_floats(formulas);
        let mut ways = orders.chain(models.then_some(None)).peekable();
        let mut said = None;
        while let Some(order) = ways.next() {
            let control = self.control.clone();
            let left = limit.map(|limit| limit.saturating_sub(start.elapsed()));
            let mut solver = match solver_with(self.session(order), formulas) {
                Ok(solver) => solver,
                Err(failure) => return Reply::Unknown(failure.into()),
            };
            // Without quantifiers all ways are one.
            let is_last = ways.peek().is_none() || !solver.is_by_triggers();
            let time = match (is_last, left.or(control.remaining())) {
                (true, _) => left,
                (false, Some(time)) => Some(limits::TRIGGERS.min(time / 2)),
                (false, None) => Some(limits::TRIGGERS),
            };
            let answer = solver.check(&[], time);
            let is_over = is_last || answer == Answer::Unsat || control.check().is_err();
            let is_late = matches!(answer, Answer::Unknown(Failure::Timeout));
            // That all instances leave it open is still so where another order comes to no end.
            if said.is_none() || order.is_none() || !is_late {
                said = Some(Reply::from(answer));
            }
            if is_over {
                break;
            }
        }
        said.unwrap_or_else(|| Reply::Unknown(Reason::Internal("nothing was tried".into())))
    }

    fn take_calls(&mut self, stats: &mut Statistics) {
        for (_, session) in &self.sessions {
            session.take_calls(stats);
        }
    }
}

/// A solver in a process of its own, started when the first question is asked.
struct External<'t> {
    terms: &'t Terms,
    axioms: Rc<[Term]>,
    control: Control,
    command: String,
    solver: Option<Result<ExternalSolver, Failure>>,
    calls: Statistics,
}

impl Prover for External<'_> {
    fn name(&self) -> String {
        match &self.solver {
            Some(Ok(solver)) => solver.identity().to_string(),
            _ => self.command.clone(),
        }
    }

    fn ask(&mut self, formulas: &[Term], limit: Option<Duration>, _: Tries) -> Reply {
        let start = Instant::now();
        let solver = self
            .solver
            .get_or_insert_with(|| ExternalSolver::start(&self.command, &self.control));
        let answer = match solver {
            Ok(solver) => {
                let all = [&self.axioms, formulas].concat();
                solver.check_unsat(self.terms, &all, limit)
            }
            Err(failure) => Answer::Unknown(failure.clone()),
        };
        self.calls.solver_call(start.elapsed());
        Reply::from(answer)
    }

    fn take_calls(&mut self, stats: &mut Statistics) {
        stats.add(&std::mem::take(&mut self.calls));
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Reply {
        match answer {
            Answer::Unsat => Reply::Unsat,
            Answer::Sat => Reply::Sat,
            Answer::Unknown(failure) => Reply::Unknown(failure.into()),
        }
    }
}

/// Why a conjunction does not count as unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// A solver says that it has a model.
    Satisfiable,
    /// No answer, or no agreement.
    Unclear(Reason),
}

/// The solvers that must agree.
pub(super) struct Provers<'p> {
    provers: Vec<Box<dyn Prover + 'p>>,
    control: Control,
    effort: Effort,
    /// How maps over sorts that may be finite are put to them; none if they are no solvers.
    maps: Option<FiniteMaps<'p>>,
}

impl<'p> Provers<'p> {
    /// The solvers that the options ask for, under the given axioms.
    pub(super) fn of_solvers(
        terms: &'p Terms,
        axioms: &[Term],
        control: &Control,
        options: &Options,
    ) -> Provers<'p> {
        let mut maps = FiniteMaps::new(terms);
        let axioms: Rc<[Term]> = maps.axioms(axioms).into();
        if let Some(proofs) = &options.proofs {
            let certified = Certified::new(terms, axioms, control, proofs.clone());
            return Provers {
                maps: Some(maps),
                ..Provers::new(vec![Box::new(certified)], control, options)
            };
        }
        let z3 = Z3::new(terms, axioms.clone(), control);
        let mut provers: Vec<Box<dyn Prover + 'p>> = vec![Box::new(z3)];
        if let Some(command) = &options.second_solver {
            provers.push(Box::new(External {
                terms,
                axioms,
                control: control.clone(),
                command: command.clone(),
                solver: None,
                calls: Statistics::default(),
            }));
        }
        Provers {
            maps: Some(maps),
            ..Provers::new(provers, control, options)
        }
    }

    /// At least one prover is needed for anything to be proved.
    pub(super) fn new(
        provers: Vec<Box<dyn Prover + 'p>>,
        control: &Control,
        options: &Options,
    ) -> Provers<'p> {
        Provers {
            provers,
            control: control.clone(),
            effort: Effort {
                limit: options.query_limit,
                ..Effort::default()
            },
            maps: None,
        }
    }

    /// The names of all of them.
    pub(super) fn names(&self) -> Vec<String> {
        self.provers.iter().map(|p| p.name()).collect()
    }

    /// Whether every solver says that the conjunction of the formulas has a model.
    pub(super) fn has_model(&mut self, formulas: &[Term]) -> Result<bool, Reason> {
        let said = self.maps.as_mut().map(|maps| maps.question(formulas));
        let formulas = said.as_deref().unwrap_or(formulas);
        for prover in &mut self.provers {
            self.control.check()?;
            let limit = self.effort.limit.or(Some(limits::MODEL));
            if prover.ask(formulas, limit, Tries::FOR_A_MODEL) != Reply::Sat {
                return Ok(false);
            }
        }
        Ok(!self.provers.is_empty())
    }

    /// Succeeds only if every solver says that the conjunction of the formulas has no model.
    pub(super) fn refute(&mut self, formulas: &[Term]) -> Result<(), Doubt> {
        self.refute_at(Stake::Part, formulas)
    }

    /// As [`Provers::refute`], for those who ask for the parts of what is not refuted: less is tried.
    pub(super) fn refute_whole(&mut self, formulas: &[Term]) -> Result<(), Doubt> {
        self.refute_at(Stake::Whole, formulas)
    }

    fn refute_at(&mut self, stake: Stake, formulas: &[Term]) -> Result<(), Doubt> {
        let said = self.maps.as_mut().map(|maps| maps.question(formulas));
        let formulas = said.as_deref().unwrap_or(formulas);
        let mut refuted_by: Option<String> = None;
        for prover in &mut self.provers {
            self.control
                .check()
                .map_err(|stop| Doubt::Unclear(stop.into()))?;
            let limit = self.effort.allowance(stake)?;
            let reply = prover.ask(formulas, limit, self.effort.tries(stake));
            match (reply, &refuted_by) {
                (Reply::Unsat, _) => refuted_by = Some(prover.name()),
                (Reply::Sat, None) => return Err(Doubt::Satisfiable),
                (Reply::Sat, Some(other)) => {
                    return Err(Doubt::Unclear(Reason::SolverFailed(format!(
                        "{other} says unsat and {} says sat to the same question",
                        prover.name()
                    ))));
                }
                (Reply::Unknown(reason), _) => return Err(Doubt::Unclear(reason)),
            }
        }
        match refuted_by {
            Some(_) => Ok(()),
            None => Err(Doubt::Unclear(Reason::Internal(
                "no solver was asked".into(),
            ))),
        }
    }

    /// What questions may cost from now on.
    pub(super) fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }

    /// The longest time for the next question; `None` if there is no end.
    pub(super) fn allowance(&self) -> Result<Option<Duration>, Doubt> {
        self.effort.allowance(Stake::Part)
    }

    /// Moves the counters of the questions asked into the statistics.
    pub(super) fn take_calls(&mut self, stats: &mut Statistics) {
        for prover in &mut self.provers {
            prover.take_calls(stats);
        }
    }

    /// Counts all that was done since `start`.
    pub(super) fn finish(mut self, start: Instant, stats: &mut Statistics) {
        self.take_calls(stats);
        stats.check_time += start.elapsed();
    }

    /// Whether the run was stopped meanwhile.
    pub(super) fn stopped(&self) -> Result<(), Reason> {
        self.control.check().map_err(Reason::from)
    }
}
