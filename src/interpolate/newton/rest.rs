//! What comes after a cut, and the ways to contradict it.

use std::collections::{HashMap, HashSet};

use super::super::{Chain, Cut};
use super::budget::Budget;
use super::weaken::core;
use crate::limits;
use ult_core::formula::{Term, Terms};
use ult_smt::{Answer, Failure, Session, Solver};

/// After so many questions about the rest as a whole that took too long, no more are asked for
/// what is not necessary.
const MOST_TIMEOUTS: u32 = 2;

/// The steps that come after a cut, for one cut after the other in one direction.
pub(super) struct Rest<'s, 't, 'c> {
    session: &'s Session<'t>,
    /// The chain with all it has.
    chain: &'c Chain,
    /// The cuts in the direction of the walk.
    order: &'c [usize],
    backwards: bool,
    /// The place of the cut in `order`.
    at: usize,
    /// Holds the remaining steps, each on its own level.
    solver: Solver<'s, 't>,
    /// Holds one step each.
    single: HashMap<usize, Solver<'s, 't>>,
    /// State formulas that were found not to hold on; at this cut, and at any.
    open: HashSet<Term>,
    timeouts: u32,
}

impl<'s, 't, 'c> Rest<'s, 't, 'c> {
    /// The rest after the first cut of `order`. The steps of `weaker` are what the rest consists
    /// of; those of `chain` are used where a single step is looked at.
    pub(super) fn new(
        session: &'s Session<'t>,
        chain: &'c Chain,
        weaker: &Chain,
        order: &'c [usize],
        backwards: bool,
    ) -> Result<Self, Failure> {
        let mut rest = Rest {
            session,
            chain,
            order,
            backwards,
            at: 0,
            solver: session.solver(),
            single: HashMap::new(),
            open: HashSet::new(),
            timeouts: 0,
        };
        let mut add = |step: usize| {
            rest.solver.push();
            rest.solver.assert(weaker.steps[step])
        };
        add(if backwards { 0 } else { chain.cuts.len() })?;
        for &cut in order.iter().skip(1).rev() {
            add(if backwards { cut + 1 } else { cut })?;
        }
        Ok(rest)
    }

    /// Goes on to the next cut.
    pub(super) fn advance(&mut self) {
        self.solver.pop();
        self.at += 1;
        self.open.clear();
        self.timeouts = 0;
    }

    /// The step passed on the way to the cut at this place of the order.
    fn step_to(&self, place: usize) -> usize {
        let cut = self.order[place];
        if self.backwards { cut + 1 } else { cut }
    }

    pub(super) fn session(&self) -> &'s Session<'t> {
        self.session
    }

    /// Says that questions about the whole rest take too long at this cut.
    pub(super) fn too_hard(&mut self) {
        self.timeouts = MOST_TIMEOUTS;
    }

    /// Literals that suffice to contradict the rest, `None` if all together do not; a failure if
    /// that is not found out in a moderate time.
    pub(super) fn core(
        &mut self,
        literals: &[Term],
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Term>>, Failure> {
        if self.timeouts >= MOST_TIMEOUTS {
            return Err(Failure::Timeout);
        }
        let result = core(&mut self.solver, literals, budget);
        if matches!(result, Err(Failure::Timeout)) {
            self.too_hard();
        }
        result
    }

    /// The solver that holds all that comes after the cut.
    pub(super) fn solver(&mut self) -> &mut Solver<'s, 't> {
        &mut self.solver
    }

    /// Whether literals at the cut are found to contradict the rest; quickly, or not at all.
    pub(super) fn contradicts(
        &mut self,
        literals: &[Term],
        patience: &Budget<'_>,
    ) -> Result<bool, Failure> {
        patience.control().check()?;
        if patience.is_over() {
            return Ok(false);
        }
        let terms = self.session.terms();
        let formula = terms.and(literals.iter().copied());
        if self.at + 1 < self.order.len() && self.holds_on(formula, patience)?.is_some() {
            return Ok(true);
        }
        if self.timeouts >= MOST_TIMEOUTS {
            return Ok(false);
        }
        match self.solver.check(literals, patience.short()) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(Failure::Stopped(stop)) => Err(Failure::Stopped(stop)),
            Answer::Unknown(_) => {
                self.timeouts += 1;
                Ok(false)
            }
        }
    }

    /// Whether a formula, said about the cut, holds at all following cuts if it holds here, step
    /// by step, and contradicts the last step; then it contradicts the rest. Gives what it is
    /// at the following cuts.
    pub(super) fn holds_on(
        &mut self,
        formula: Term,
        patience: &Budget<'_>,
    ) -> Result<Option<Vec<Term>>, Failure> {
        let terms = self.session.terms();
        let chain = self.chain;
        let state = terms.substitute(formula, &chain.cuts[self.order[self.at]].state);
        if self.open.contains(&state) {
            return Ok(None);
        }
        let later = &self.order[self.at + 1..];
        // The last step decides most often.
        let last = later.last().copied().unwrap_or(self.order[self.at]);
        let end = if self.backwards { 0 } else { chain.cuts.len() };
        let mut closed = false;
        if let Some(there) = placed(terms, &chain.cuts[last], state) {
            closed = self.excluded(end, &[there], patience)?;
        }
        let mut found = Vec::with_capacity(later.len());
        let mut before = formula;
        for (i, &cut) in later.iter().enumerate() {
            if !closed {
                break;
            }
            let Some(after) = placed(terms, &chain.cuts[cut], state) else {
                closed = false;
                break;
            };
            let step = self.step_to(self.at + 1 + i);
            closed = self.excluded(step, &[before, terms.not(after)], patience)?;
            found.push(after);
            before = after;
        }
        if !closed {
            self.open.insert(state);
            return Ok(None);
        }
        Ok(Some(found))
    }

    /// Whether formulas contradict a single step.
    fn excluded(
        &mut self,
        step: usize,
        formulas: &[Term],
        patience: &Budget<'_>,
    ) -> Result<bool, Failure> {
        let limit = Some(patience.left_or_stopped()?.min(limits::STEP));
        let (session, chain) = (self.session, self.chain);
        let solver = match self.single.entry(step) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let mut solver = session.solver();
                solver.assert(chain.steps[step])?;
                entry.insert(solver)
            }
        };
        solver.push();
        let mut added = Ok(());
        for &formula in formulas {
            added = added.and_then(|()| solver.assert(formula));
        }
        let answer = match added {
            Ok(()) => solver.check(&[], limit),
            Err(failure) => Answer::Unknown(failure),
        };
        solver.pop();
        match answer {
            Answer::Unknown(Failure::Stopped(stop)) => Err(Failure::Stopped(stop)),
            answer => Ok(answer == Answer::Unsat),
        }
    }
}

/// A state formula at a cut, unless it mentions what is not live there.
pub(super) fn placed(terms: &Terms, cut: &Cut, state: Term) -> Option<Term> {
    let instances: HashMap<Term, Term> = cut.state.iter().map(|(&at, &var)| (var, at)).collect();
    let vars = terms.free_vars(&[state]);
    vars.iter()
        .all(|var| instances.contains_key(var))
        .then(|| terms.substitute(state, &instances))
}
