//! The incremental solver.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::alarm::Alarm;
use super::answer::{Answer, Failure, classify};
use super::features::{Features, Profile};
use super::log;
use super::model::Model;
use super::portfolio::{self, Found, Tactic};
use super::raw::{self, Truth};
use super::session::{Session, Split};
use crate::limits;
use ult_core::formula::{Float, Op, Term};
use ult_smtlib::print::question;

/// An incremental solver.
///
/// Assumptions are arbitrary formulas: each is given a name once (a boolean constant that implies
/// it), so that asking with other combinations of the same assumptions is cheap.
///
/// Which of Z3's solvers works behind it depends on what the formulas contain ([`Profile`]); if
/// a formula asks for another one, it is made and told everything again.
pub struct Solver<'s, 't> {
    session: &'s Session<'t>,
    /// None before the first question, and when another one is needed.
    z3: Option<raw::Solver>,
    profile: Profile,
    features: Features,
    levels: Vec<Level>,
    named: HashSet<Term>,
    /// For a few questions only: the Z3 object may have served others before, and may do so
    /// after. Everything is one level deeper in it than here, so that it can be emptied.
    brief: bool,
    /// A question was not answered: nobody else should get this Z3 object.
    spoiled: bool,
    last: Last,
    /// The tactic that gave the last answer.
    tactic: Option<Tactic>,
}

/// What was added between opening a level and opening the next.
#[derive(Default)]
struct Level {
    formulas: Vec<raw::Ast>,
    /// What was asserted, without the definitions of names.
    asserted: Vec<Term>,
    /// The assumptions that were named here.
    named: Vec<Term>,
    /// A formula could not be added, so that no answer would say anything.
    broken: Option<Failure>,
}

/// What the last check left behind.
enum Last {
    Nothing,
    Sat(RefCell<Option<raw::Model>>),
    Unsat(Vec<Term>),
}

impl<'t> Session<'t> {
    /// A new solver in which the background facts hold. It is worth keeping: making one costs as
    /// much as several questions.
    pub fn solver(&self) -> Solver<'_, 't> {
        Solver::new(self, false)
    }

    /// As [`Session::solver`], for a question or a few that are asked once. It is cheap, since it
    /// goes on with a Z3 solver that another one of its kind left behind empty.
    pub fn brief_solver(&self) -> Solver<'_, 't> {
        Solver::new(self, true)
    }
}

impl<'s, 't> Solver<'s, 't> {
    pub(super) fn new(session: &'s Session<'t>, brief: bool) -> Solver<'s, 't> {
        let mut solver = Solver {
            session,
            z3: None,
            profile: Profile::Linear,
            features: Features::default(),
            levels: vec![Level::default()],
            named: HashSet::new(),
            brief,
            spoiled: false,
            last: Last::Nothing,
            tactic: None,
        };
        for &axiom in session.axioms() {
            // A failure is kept and answers every question.
            let _ = solver.assert(axiom);
        }
        solver
    }

    /// The session this solver belongs to.
    pub fn session(&self) -> &'s Session<'t> {
        self.session
    }

    /// Adds a formula for good, or until the level that is open now is closed.
    ///
    /// After a failure the formula is missing: every check answers with that failure until the
    /// level is closed.
    pub fn assert(&mut self, formula: Term) -> Result<(), Failure> {
        self.last = Last::Nothing;
        self.meet(formula);
        if let Some(level) = self.levels.last_mut() {
            level.asserted.push(formula);
        }
        let added = raw::survive(|| self.session.encode(formula).and_then(|ast| self.add(ast)));
        if let (Err(failure), Some(level)) = (&added, self.levels.last_mut()) {
            level.broken.get_or_insert(failure.clone());
        }
        added
    }

    /// Notes what a formula contains, before it is added.
    fn meet(&mut self, formula: Term) {
        self.features = self.features.with(self.session.features(formula));
        if self.z3.is_some() && self.session.profile(self.features) != self.profile {
            self.give_back();
        }
    }

    fn add(&mut self, formula: raw::Ast) -> Result<(), Failure> {
        if let Some(z3) = &self.z3 {
            tell(self.session, self.profile, z3, &formula)?;
        }
        if let Some(level) = self.levels.last_mut() {
            level.formulas.push(formula);
        }
        Ok(())
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.last = Last::Nothing;
        // If Z3 fails here, a new one is told everything.
        if self.z3.as_ref().is_some_and(|z3| z3.push().is_err()) {
            self.z3 = None;
        }
        self.levels.push(Level::default());
    }

    /// Closes the level opened last: what was added since is forgotten. Without an open level
    /// nothing happens.
    pub fn pop(&mut self) {
        if self.levels.len() <= 1 {
            return;
        }
        self.last = Last::Nothing;
        if self.z3.as_ref().is_some_and(|z3| z3.pop(1).is_err()) {
            self.z3 = None;
        }
        for term in self
            .levels
            .pop()
            .map(|level| level.named)
            .unwrap_or_default()
        {
            self.named.remove(&term);
        }
    }

    /// The Z3 object, made and told everything if there is none.
    fn z3(&mut self) -> Result<&raw::Solver, Failure> {
        let z3 = match self.z3.take() {
            Some(z3) => z3,
            None => {
                self.profile = self.session.profile(self.features);
                self.spoiled = false;
                let spare = match self.is_pooled() {
                    true => self.session.take_spare(self.profile),
                    false => None,
                };
                let z3 = match spare {
                    Some(z3) => z3,
                    None => make(self.session, self.profile)?,
                };
                for (i, level) in self.levels.iter().enumerate() {
                    if i > 0 || self.is_pooled() {
                        z3.push()?;
                    }
                    for formula in &level.formulas {
                        tell(self.session, self.profile, &z3, formula)?;
                    }
                }
                z3
            }
        };
        Ok(self.z3.insert(z3))
    }

    /// The bit-vector solver prepares formulas better that are added to an empty one.
    fn is_pooled(&self) -> bool {
        self.brief && !matches!(self.profile, Profile::Bits | Profile::Floats)
    }

    /// Empties the Z3 object, if there is one, for others to use.
    fn give_back(&mut self) {
        let Some(z3) = self.z3.take() else { return };
        if self.is_pooled() && !self.spoiled && z3.pop(self.levels.len()).is_ok() {
            self.session.add_spare(self.profile, z3);
        }
    }

    /// Whether what was added and all assumptions can hold together.
    ///
    /// `limit` bounds this one question; the limits of the run hold as well.
    pub fn check(&mut self, assumptions: &[Term], limit: Option<Duration>) -> Answer {
        self.last = Last::Nothing;
        self.tactic = None;
        let start = Instant::now();
        let answer = match raw::survive(|| self.try_check(assumptions, limit)) {
            Ok(answer) => answer,
            Err(failure) => {
                self.spoiled = true;
                Answer::Unknown(failure)
            }
        };
        let tactic = self.tactic.map(Tactic::name);
        log::tell(self.session, start, &log::word(&answer), tactic, || {
            Ok(question(self.session.terms(), &self.formulas(assumptions))?)
        });
        answer
    }

    fn try_check(
        &mut self,
        assumptions: &[Term],
        limit: Option<Duration>,
    ) -> Result<Answer, Failure> {
        if let Some(failure) = self.levels.iter().find_map(|level| level.broken.as_ref()) {
            return Err(failure.clone());
        }
        let terms = self.session.terms();
        let mut literals = Vec::with_capacity(assumptions.len());
        let mut meaning: HashMap<u32, Term> = HashMap::new();
        for &assumption in assumptions {
            match terms.op(assumption) {
                Op::Bool(true) => continue,
                // Also when other formulas could not be translated.
                Op::Bool(false) => {
                    self.last = Last::Unsat(vec![assumption]);
                    return Ok(Answer::Unsat);
                }
                _ => {}
            }
            let literal = self.name(assumption)?;
            if meaning.insert(literal.id(), assumption).is_none() {
                literals.push(literal);
            }
        }
        let (tactic, found) = match &self.session.steps {
            Some(steps) => (Tactic::Session, self.ask_by_steps(&literals, limit, steps)?),
            None => portfolio::ask(self, assumptions, &literals, limit)?,
        };
        self.tactic = Some(tactic);
        match found {
            Found::Session(Truth::Unsat) => {}
            Found::Session(_) => {
                self.last = Last::Sat(RefCell::new(None));
                return Ok(Answer::Sat);
            }
            Found::Model(model) => {
                self.last = Last::Sat(RefCell::new(Some(model)));
                return Ok(Answer::Sat);
            }
            Found::Refuted => {
                // Who was not told the names of assumptions cannot say which ones it needs.
                let core: indexmap::IndexSet<Term> = assumptions.iter().copied().collect();
                self.last = Last::Unsat(core.into_iter().collect());
                return Ok(Answer::Unsat);
            }
        }
        let mut core = Vec::new();
        for literal in self.z3()?.core()? {
            match meaning.get(&literal.id()) {
                Some(&assumption) => core.push(assumption),
                None => {
                    return Err(Failure::UnexpectedOutput(
                        "an unsatisfiable core with something that was not assumed".into(),
                    ));
                }
            }
        }
        // In the order in which they were given, whatever Z3's order is.
        let core: HashSet<Term> = core.into_iter().collect();
        let mut ordered = indexmap::IndexSet::new();
        ordered.extend(assumptions.iter().copied().filter(|t| core.contains(t)));
        self.last = Last::Unsat(ordered.into_iter().collect());
        Ok(Answer::Unsat)
    }

    /// Asks Z3 in the session.
    pub(super) fn ask(
        &mut self,
        literals: &[raw::Ast],
        limit: Option<Duration>,
    ) -> Result<Truth, Failure> {
        let session = self.session;
        let z3 = self.z3()?;
        let alarm = match session.allowance(limit) {
            Some(time) => {
                let waker = z3.waker();
                Alarm::after(time, move || waker.wake())?
            }
            None => None,
        };
        let answer = session.stoppable(|_| match z3.check(literals)? {
            Truth::Unknown => Err(classify(&z3.reason_unknown())),
            answer => Ok(answer),
        });
        drop(alarm);
        if answer.is_err() {
            self.spoiled = true;
            // Stopped in the middle of its work, it may not be of use any more.
            if self.profile == Profile::Floats {
                self.z3 = None;
            }
        }
        answer
    }

    /// Asks Z3 in the session, for as many steps as the limit stands for. Adds the steps that it takes to `taken`.
    fn ask_by_steps(
        &mut self,
        literals: &[raw::Ast],
        limit: Option<Duration>,
        taken: &Cell<u64>,
    ) -> Result<Found, Failure> {
        let start = Instant::now();
        let session = self.session;
        let z3 = self.z3()?;
        let before = z3.steps()?;
        let params = session.context()?.params()?;
        // Zero is no limit.
        params.set_number("rlimit", limit.map_or(0, |limit| steps_in(limit).max(1)))?;
        z3.set(&params)?;
        let answer = self.ask(literals, None);
        let after = self.z3()?.steps()?;
        let steps = u64::from(after.wrapping_sub(before)) + limits::STEPS_PER_QUESTION;
        taken.set(taken.get() + steps);
        session.count(|calls| calls.solver_call(start.elapsed()));
        answer.map(Found::Session)
    }

    /// Whether there are quantifiers in what was asserted, and they are instantiated by triggers
    /// alone: see [`Session::by_triggers`].
    pub fn is_by_triggers(&self) -> bool {
        self.session.profile(self.features) == Profile::Triggers
    }

    /// Makes up its mind which of Z3's solvers is asked.
    pub(super) fn settle(&mut self) -> Result<Profile, Failure> {
        self.z3()?;
        Ok(self.profile)
    }

    /// Which of Z3's solvers is asked.
    pub(super) fn profile(&self) -> Profile {
        self.profile
    }

    /// A handle that stops the question under way.
    pub(super) fn waker(&mut self) -> Result<raw::Waker, Failure> {
        Ok(self.z3()?.waker())
    }

    /// How many formulas are asserted.
    pub(super) fn asserted(&self) -> usize {
        self.levels.iter().map(|level| level.asserted.len()).sum()
    }

    /// Everything that a question with these assumptions is about.
    pub(super) fn formulas(&self, assumptions: &[Term]) -> Vec<Term> {
        let asserted = self.levels.iter().flat_map(|level| &level.asserted);
        let formulas: indexmap::IndexSet<Term> = asserted.chain(assumptions).copied().collect();
        formulas.into_iter().collect()
    }

    /// Asks Z3 for a model with these values, for a short time.
    pub(super) fn try_point(
        &mut self,
        literals: &[raw::Ast],
        point: Vec<(Term, Float)>,
    ) -> Result<bool, Failure> {
        let terms = self.session.terms();
        let mut literals = literals.to_vec();
        for (symbol, value) in point {
            literals.push(self.name(terms.eq(symbol, terms.float(&value)))?);
        }
        let answer = self.ask(&literals, Some(limits::FLOATS));
        Ok(answer == Ok(Truth::Sat))
    }

    /// The literal for an assumption; boolean symbols and their negations are their own.
    fn name(&mut self, assumption: Term) -> Result<raw::Ast, Failure> {
        let terms = self.session.terms();
        let atom = match terms.op(assumption) {
            Op::Not => terms.args(assumption)[0],
            _ => assumption,
        };
        let is_symbol = match terms.op(atom) {
            Op::Var(_) => true,
            Op::Apply(function) => function.params.is_empty(),
            _ => false,
        };
        if is_symbol {
            return self.session.encode(assumption);
        }
        let literal = self.session.literal(assumption)?;
        if !self.named.contains(&assumption) {
            self.meet(assumption);
            let formula = self.session.encode(assumption)?;
            let definition = self.session.context()?.implies(&literal, &formula)?;
            self.add(definition)?;
            self.named.insert(assumption);
            if let Some(level) = self.levels.last_mut() {
                level.named.push(assumption);
            }
        }
        Ok(literal)
    }

    /// After `Unsat`: assumptions that suffice for it, in the order they were given. Not minimal.
    /// Empty after any other answer.
    pub fn core(&self) -> Vec<Term> {
        match &self.last {
            Last::Unsat(core) => core.clone(),
            _ => Vec::new(),
        }
    }

    /// A smaller core by trying to leave out one assumption after the other. Each question has
    /// the limit; one that is not answered keeps its assumption. The result suffices for `Unsat`
    /// if `core` does.
    pub fn minimise_core(&mut self, core: Vec<Term>, limit: Option<Duration>) -> Vec<Term> {
        let mut kept = core;
        let mut next = 0;
        while next < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(next);
            if self.check(&fewer, limit) == Answer::Unsat {
                // The new core may leave out more than this one; what was tested stays tested.
                let smaller: HashSet<Term> = self.core().into_iter().collect();
                let before = kept[..next].iter().filter(|t| smaller.contains(t)).count();
                kept = fewer.into_iter().filter(|t| smaller.contains(t)).collect();
                next = before;
            } else {
                next += 1;
            }
        }
        self.last = Last::Unsat(kept.clone());
        kept
    }

    /// After `Sat`: the model found.
    pub fn model(&self) -> Result<Model<'s, 't>, Failure> {
        let Last::Sat(cached) = &self.last else {
            return Err(no_model());
        };
        let mut cached = cached.borrow_mut();
        let model = match &*cached {
            Some(model) => model.clone(),
            None => {
                let z3 = self.z3.as_ref().ok_or_else(no_model)?;
                // A question that was interrupted as it ended may have left none.
                let model = self.session.interruptible(|_| Ok(z3.model()?))?;
                *cached = Some(model.clone());
                model
            }
        };
        let over_bits = self.profile == Profile::Floats;
        Ok(Model::new(self.session, model, over_bits))
    }
}

impl Drop for Solver<'_, '_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// How many steps stand for so much time.
fn steps_in(time: Duration) -> u32 {
    let steps = time.as_nanos() * u128::from(limits::STEPS) / limits::SECOND.as_nanos();
    u32::try_from(steps).unwrap_or(u32::MAX)
}

fn no_model() -> Failure {
    Failure::UnexpectedOutput("a model was asked for without a satisfiable question".into())
}

/// Adds a formula to a Z3 object of a profile.
fn tell(
    session: &Session<'_>,
    profile: Profile,
    z3: &raw::Solver,
    formula: &raw::Ast,
) -> Result<(), Failure> {
    Ok(z3.assert(&session.suited(profile, formula)?)?)
}

fn make(session: &Session<'_>, profile: Profile) -> Result<raw::Solver, Failure> {
    let context = session.context()?;
    let solver = match profile {
        Profile::Bits | Profile::Floats => context.solver_for("QF_BV")?,
        Profile::Linear | Profile::General | Profile::Triggers => context.simple_solver()?,
    };
    let params = context.params()?;
    // Said aloud: answers must not depend on anything outside.
    params.set_number("random_seed", session.control().seed())?;
    if profile == Profile::Linear {
        params.set_number("arith.solver", 2)?;
        params.set_number("relevancy", 0)?;
    }
    if profile == Profile::General && !session.has_nlsat {
        params.set_bool("arith.nl.nra", false)?;
    }
    if profile == Profile::Triggers {
        // As Boogie asks: nobody looks for models of quantified formulas.
        params.set_bool("auto_config", false)?;
        params.set_bool("mbqi", false)?;
        if session.triggers == Some(Split::Goal) {
            params.set_number("case_split", 3)?;
            params.set_bool("delay_units", true)?;
        }
    }
    solver.set(&params)?;
    Ok(solver)
}
