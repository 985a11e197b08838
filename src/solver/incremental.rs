//! The incremental solver.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::answer::{Answer, Failure, classify};
use super::model::Model;
use super::raw::{self, Truth};
use super::session::Session;
use crate::formula::{Op, Term};

/// An incremental solver, meant to live long.
///
/// Assumptions are arbitrary formulas: each is given a name once (a boolean constant that implies
/// it), so that asking with other combinations of the same assumptions is cheap.
pub struct Solver<'s, 't> {
    session: &'s Session<'t>,
    solver: Result<raw::Solver, Failure>,
    /// A formula could not be added, so that `Sat` would say nothing; by level.
    broken: Vec<Option<Failure>>,
    /// The assumptions named at each open level.
    named: Vec<Vec<Term>>,
    all_named: HashSet<Term>,
    /// The limit that the Z3 object has now, in milliseconds; 0 is none.
    timeout: u32,
    last: Last,
}

/// What the last check left behind.
enum Last {
    Nothing,
    Sat(RefCell<Option<raw::Model>>),
    Unsat(Vec<Term>),
}

impl<'s, 't> Solver<'s, 't> {
    pub(super) fn new(session: &'s Session<'t>) -> Solver<'s, 't> {
        let mut solver = Solver {
            session,
            solver: make(session),
            broken: vec![None],
            named: vec![Vec::new()],
            all_named: HashSet::new(),
            timeout: 0,
            last: Last::Nothing,
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
        let added = self.try_assert(formula);
        if let (Err(failure), Some(broken)) = (&added, self.broken.last_mut()) {
            broken.get_or_insert(failure.clone());
        }
        added
    }

    fn try_assert(&self, formula: Term) -> Result<(), Failure> {
        let ast = self.session.encode(formula)?;
        Ok(self.z3()?.assert(&ast)?)
    }

    fn z3(&self) -> Result<&raw::Solver, Failure> {
        self.solver.as_ref().map_err(Failure::clone)
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.last = Last::Nothing;
        let failure = self.z3().and_then(|z3| Ok(z3.push()?)).err();
        self.broken.push(failure);
        self.named.push(Vec::new());
    }

    /// Closes the level opened last: what was added since is forgotten. Without an open level
    /// nothing happens.
    pub fn pop(&mut self) {
        if self.named.len() <= 1 {
            return;
        }
        self.last = Last::Nothing;
        let failure = self.z3().and_then(|z3| Ok(z3.pop()?)).err();
        self.broken.pop();
        if let (Some(failure), Some(broken)) = (failure, self.broken.last_mut()) {
            broken.get_or_insert(failure);
        }
        for term in self.named.pop().unwrap_or_default() {
            self.all_named.remove(&term);
        }
    }

    /// Whether what was added and all assumptions can hold together.
    ///
    /// `limit` bounds this one question; the limits of the run hold as well.
    pub fn check(&mut self, assumptions: &[Term], limit: Option<Duration>) -> Answer {
        self.last = Last::Nothing;
        match self.try_check(assumptions, limit) {
            Ok(answer) => answer,
            Err(failure) => Answer::Unknown(failure),
        }
    }

    fn try_check(
        &mut self,
        assumptions: &[Term],
        limit: Option<Duration>,
    ) -> Result<Answer, Failure> {
        if let Some(failure) = self.broken.iter().flatten().next() {
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
        self.set_timeout(limit)?;
        let z3 = self.z3()?;
        let session = self.session;
        let answer = session.interruptible(|_| match z3.check(&literals)? {
            Truth::Unknown => Err(classify(&z3.reason_unknown())),
            answer => Ok(answer),
        })?;
        if answer == Truth::Sat {
            self.last = Last::Sat(RefCell::new(None));
            return Ok(Answer::Sat);
        }
        let mut core = Vec::new();
        for literal in z3.core()? {
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
        if !self.all_named.contains(&assumption) {
            let formula = self.session.encode(assumption)?;
            let definition = self.session.context()?.implies(&literal, &formula)?;
            self.z3()?.assert(&definition)?;
            self.all_named.insert(assumption);
            if let Some(level) = self.named.last_mut() {
                level.push(assumption);
            }
        }
        Ok(literal)
    }

    /// Gives the limit to Z3. Changing it costs about as much as a simple question, so a limit
    /// that is at most a twentieth too long is left in place.
    fn set_timeout(&mut self, limit: Option<Duration>) -> Result<(), Failure> {
        let wanted = match self.session.allowance(limit) {
            None => 0,
            Some(limit) => u32::try_from(limit.as_millis())
                .unwrap_or(u32::MAX - 1)
                .max(1),
        };
        let close_enough = self.timeout >= wanted
            && u64::from(self.timeout) <= u64::from(wanted) + u64::from(wanted) / 20 + 5;
        if self.timeout == wanted || (wanted != 0 && close_enough) {
            return Ok(());
        }
        let params = self.session.context()?.params()?;
        params.set_number("timeout", if wanted == 0 { u32::MAX } else { wanted })?;
        self.z3()?.set(&params)?;
        self.timeout = wanted;
        Ok(())
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
            return Err(Failure::UnexpectedOutput(
                "a model was asked for without a satisfiable question".into(),
            ));
        };
        let mut cached = cached.borrow_mut();
        let model = match &*cached {
            Some(model) => model.clone(),
            None => {
                let model = self.z3()?.model()?;
                *cached = Some(model.clone());
                model
            }
        };
        Ok(Model::new(self.session, model))
    }
}

/// The Z3 object behind a solver.
fn make(session: &Session<'_>) -> Result<raw::Solver, Failure> {
    let context = session.context()?;
    let solver = context.simple_solver()?;
    let params = context.params()?;
    // The default seed, said aloud: answers must not depend on anything outside.
    params.set_number("random_seed", 0)?;
    solver.set(&params)?;
    Ok(solver)
}
