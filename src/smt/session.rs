//! A session: one Z3 context with what all solvers of one unit share.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answer::Failure;
use super::features::{FeatureCache, Features, Profile, features_of};
use super::raw;
use crate::limits;
use ult_core::control::{Control, Stop};
use ult_core::formula::{Function, Sort, Term, Terms};
use ult_core::stats::Statistics;

/// Background facts (axioms) and limits shared by the solvers of one unit.
///
/// A session owns a Z3 context as soon as something is asked, so sessions do not influence each other: the same questions in
/// the same order get the same answers, whatever else the program does. It stays on its thread;
/// other threads have sessions of their own.
pub struct Session<'t> {
    terms: &'t Terms,
    axioms: Vec<Term>,
    control: Control,
    pub(super) symbols: RefCell<Symbols>,
    /// By [`super::encode::Maps`].
    pub(super) translated: [RefCell<HashMap<Term, raw::Ast>>; 2],
    features: RefCell<FeatureCache>,
    /// Names for assumptions, shared by the solvers of the session.
    literals: RefCell<HashMap<Term, raw::Ast>>,
    pub(super) lowered: RefCell<super::lower::Lowered>,
    /// See [`super::horn`].
    pub(super) rigid_variables: RefCell<HashMap<Arc<Function>, Term>>,
    pub(super) placeholders: RefCell<HashMap<Term, Term>>,
    calls: RefCell<Statistics>,
    /// See [`super::portfolio`].
    pub(super) adaptive: RefCell<super::portfolio::Adaptive>,
    /// See [`Session::without_nlsat`].
    pub(super) has_nlsat: bool,
    /// See [`Session::by_triggers`]. None where models are looked for.
    pub(super) triggers: Option<Split>,
    /// See [`Session::by_steps`].
    pub(super) steps: Option<Cell<u64>>,
    next_literal: Cell<u32>,
    /// Empty Z3 solvers for brief use.
    spares: RefCell<Vec<(Profile, raw::Solver)>>,
    /// Made when it is needed first: Z3 fills tables of some megabytes for each, and many sessions are never asked.
    context: OnceCell<Result<raw::Context, Failure>>,
}

/// What is split upon first, where quantified formulas are instantiated by their triggers. Neither is better: what one proves at
/// once the other may leave open, or never end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The parts of what was asserted, from left to right, before those of instances of quantified formulas (Z3's
    /// `case_split=3`, and `delay_units`). Deductive verifiers ask this way.
    Goal,
    /// What was of use lately, as Z3 does by itself.
    Activity,
}

/// The Z3 declarations and sorts made so far, and what they stand for.
#[derive(Default)]
pub(super) struct Symbols {
    /// By the identity of the Z3 declaration.
    pub(super) meanings: HashMap<u32, (raw::Decl, Meaning)>,
    /// By [`super::encode::Maps`], as are the following.
    pub(super) functions: [HashMap<Arc<Function>, raw::Decl>; 2],
    pub(super) sorts: [HashMap<Sort, raw::Sort>; 2],
    /// All sorts that a Z3 sort was made for, by its identity. Curried, maps with several indices
    /// share their Z3 sort with maps of maps.
    pub(super) sort_meanings: [HashMap<u32, Vec<Sort>>; 2],
}

/// What a Z3 declaration stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A variable.
    Variable(Term),
    /// A rigid symbol.
    Function(Arc<Function>),
    /// A name that the session made up, for an assumption or a predicate.
    Internal,
}

impl<'t> Session<'t> {
    /// A session over `terms` in which all `axioms` hold.
    pub fn new(terms: &'t Terms, axioms: &[Term], control: &Control) -> Session<'t> {
        Session {
            terms,
            axioms: axioms.to_vec(),
            control: control.clone(),
            symbols: RefCell::default(),
            translated: Default::default(),
            features: RefCell::default(),
            literals: RefCell::default(),
            lowered: RefCell::default(),
            rigid_variables: RefCell::default(),
            placeholders: RefCell::default(),
            calls: RefCell::default(),
            adaptive: RefCell::default(),
            has_nlsat: true,
            triggers: None,
            steps: None,
            next_literal: Cell::new(0),
            spares: RefCell::default(),
            context: OnceCell::new(),
        }
    }

    /// For those who would rather go on with a smaller question: products are left to lemmas about
    /// single ones. Z3's procedure for systems of polynomials does not hear of time limits while it
    /// isolates roots; a question for 20 ms may take half a minute.
    pub fn without_nlsat(mut self) -> Session<'t> {
        self.has_nlsat = false;
        self
    }

    /// For those who look for refutations: formulas with quantifiers are instantiated by their
    /// triggers alone (E-matching), as deductive verifiers ask. Such a question is answered with `Unsat` or
    /// not at all, and where that is possible, it is much faster: nobody looks for models of
    /// axioms. Questions without quantifiers are asked as ever.
    pub fn by_triggers(mut self, split: Split) -> Session<'t> {
        self.triggers = Some(split);
        self
    }

    /// For those whose results must be the same on each machine: the limit of a question counts Z3's steps, and not the time. A
    /// second is [`limits::STEPS`] of them, about what Z3 takes in a second. Questions are asked in the session only.
    pub fn by_steps(mut self) -> Session<'t> {
        self.steps = Some(Cell::new(0));
        self
    }

    /// How long the questions so far took, if their steps count: see [`Session::by_steps`].
    pub fn work(&self) -> Option<Duration> {
        let steps = self.steps.as_ref()?.get();
        Some(limits::SECOND.mul_f64(steps as f64 / f64::from(limits::STEPS)))
    }

    /// The store that all terms of this session belong to.
    pub fn terms(&self) -> &'t Terms {
        self.terms
    }

    /// The background facts.
    pub fn axioms(&self) -> &[Term] {
        &self.axioms
    }

    /// The limits and the stop signal.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// How Z3 is set up for formulas with these features.
    pub(super) fn profile(&self, features: Features) -> Profile {
        features.profile(self.triggers.is_some())
    }

    /// The features of a formula.
    pub(super) fn features(&self, formula: Term) -> Features {
        features_of(self.terms, &mut self.features.borrow_mut(), formula)
    }

    /// Adds the counters of the calls made since the last time to `stats`.
    pub fn take_calls(&self, stats: &mut Statistics) {
        let calls = self.calls.take();
        stats.add(&calls);
    }

    pub(super) fn context(&self) -> Result<&raw::Context, Failure> {
        let made = || {
            super::require_z3()
                .map_err(Failure::Missing)
                .and_then(|()| raw::survive(|| Ok(raw::Context::new()?)))
        };
        let context = self.context.get_or_init(made);
        let context = context.as_ref().map_err(Failure::clone)?;
        context.alive()?;
        Ok(context)
    }

    /// Whether nothing can be asked here any more: something in Z3 has died, or there is no Z3.
    pub fn is_lost(&self) -> bool {
        self.context().is_err()
    }

    /// A formula as solvers of a profile take it.
    pub(super) fn suited(&self, profile: Profile, formula: &raw::Ast) -> Result<raw::Ast, Failure> {
        match profile {
            Profile::Floats => self.lower(formula),
            Profile::Bits | Profile::Linear | Profile::General | Profile::Triggers => {
                Ok(formula.clone())
            }
        }
    }

    /// A term as solvers of a profile take it.
    pub(super) fn encode_for(&self, profile: Profile, formula: Term) -> Result<raw::Ast, Failure> {
        self.suited(profile, &self.encode(formula)?)
    }

    /// An empty Z3 solver that was used before.
    pub(super) fn take_spare(&self, profile: Profile) -> Option<raw::Solver> {
        let mut spares = self.spares.borrow_mut();
        let last = spares.iter().rposition(|(other, _)| *other == profile)?;
        Some(spares.remove(last).1)
    }

    /// Keeps an empty Z3 solver for later.
    pub(super) fn add_spare(&self, profile: Profile, solver: raw::Solver) {
        self.spares.borrow_mut().push((profile, solver));
    }

    /// The boolean constant that stands for an assumption.
    pub(super) fn literal(&self, assumption: Term) -> Result<raw::Ast, Failure> {
        if let Some(literal) = self.literals.borrow().get(&assumption) {
            return Ok(literal.clone());
        }
        let literal = self.fresh_bool("l")?;
        self.literals
            .borrow_mut()
            .insert(assumption, literal.clone());
        Ok(literal)
    }

    /// A boolean constant with a name of its own.
    fn fresh_bool(&self, prefix: &str) -> Result<raw::Ast, Failure> {
        let number = self.next_literal.get();
        self.next_literal.set(number + 1);
        let context = self.context()?;
        let sort = context.bool_sort()?;
        let decl = context.declare(&format!("{prefix}|{number}"), &[], &sort)?;
        let literal = context.apply(&decl, &[])?;
        self.symbols
            .borrow_mut()
            .meanings
            .insert(decl.id(), (decl, Meaning::Internal));
        Ok(literal)
    }

    /// Changes the counters of calls.
    pub(super) fn count(&self, change: impl Fn(&mut Statistics)) {
        change(&mut self.calls.borrow_mut());
        self.control().meter().count(change);
    }

    /// As [`Session::stoppable`], and counted as a call.
    pub(super) fn interruptible<T>(
        &self,
        compute: impl FnOnce(&raw::Context) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let start = Instant::now();
        let result = self.stoppable(compute);
        self.count(|calls| calls.solver_call(start.elapsed()));
        result
    }

    /// Runs a Z3 computation that stops when the run is stopped. A failure by interruption is
    /// traced back to its cause.
    pub(super) fn stoppable<T>(
        &self,
        compute: impl FnOnce(&raw::Context) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let context = self.context()?;
        let interrupter = context.interrupter();
        // Dropping it waits until no interrupt is under way: it would be the next question's.
        let guard = self.control.on_stop(move || interrupter.interrupt());
        // Only now: a stop before the registration would go unnoticed else.
        self.control.check()?;
        let result = raw::survive(|| compute(context));
        drop(guard);
        match result {
            Err(failure @ (Failure::Timeout | Failure::Incomplete(_))) => {
                Err(self.ending().map_or(failure, Failure::from))
            }
            other => other,
        }
    }

    /// Why the run ends now, if it does. Z3's clock may ring a little before the deadline that it
    /// was set for.
    pub(super) fn ending(&self) -> Option<Stop> {
        let over = self
            .control
            .remaining()
            .is_some_and(|left| left <= limits::EARLY);
        self.control.check().err().or(over.then_some(Stop::Timeout))
    }

    /// The time a question may take: the limit, but not longer than the run.
    pub(super) fn allowance(&self, limit: Option<Duration>) -> Option<Duration> {
        super::answer::tighter(limit, self.control.remaining())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;

    #[test]
    fn who_asks_nothing_needs_no_tables() {
        let terms = Terms::new();
        let session = Session::new(&terms, &[], &Control::unlimited());
        assert!(session.context.get().is_none());
        assert_eq!(session.solver().check(&[], None), Answer::Sat);
        assert!(session.context.get().is_some());
    }
}
