//! Weakening of formulas by unsatisfiable cores: every part of a formula that a refutation does
//! not need is dropped, also inside disjuncts.

use std::collections::{HashMap, HashSet};

use super::budget::Budget;
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_smt::{Answer, Failure, Solver};

/// Formulas in which parts can be switched off: boolean variables guard the literals that occur
/// positively. With all guards true the formulas mean what they meant; a guard that is false makes
/// its literal true, so the whole only gets weaker.
pub(super) struct Guards<'t> {
    terms: &'t Terms,
    guards: Vec<Term>,
    most: usize,
    halves: bool,
    done: HashMap<(Term, bool), Term>,
}

enum Task {
    Visit(Term, bool),
    Build(Term, bool),
}

impl<'t> Guards<'t> {
    /// At most `most` guards; what comes later stays as it is. With `halves`, equations between
    /// numbers are guarded as two inequalities.
    pub(super) fn new(terms: &'t Terms, most: usize, halves: bool) -> Guards<'t> {
        Guards {
            terms,
            guards: Vec::new(),
            most,
            halves,
            done: HashMap::new(),
        }
    }

    /// All guards so far.
    pub(super) fn all(&self) -> &[Term] {
        &self.guards
    }

    /// The formula with its literals guarded. A literal that occurs several times has one guard.
    pub(super) fn guarded(&mut self, formula: Term) -> Term {
        let terms = self.terms;
        let mut stack = vec![Task::Visit(formula, true)];
        while let Some(task) = stack.pop() {
            match task {
                Task::Visit(term, positive) => {
                    if self.done.contains_key(&(term, positive)) {
                        continue;
                    }
                    let args = terms.args(term);
                    match terms.op(term) {
                        Op::Not => {
                            stack.push(Task::Build(term, positive));
                            stack.push(Task::Visit(args[0], !positive));
                        }
                        Op::And | Op::Or => {
                            stack.push(Task::Build(term, positive));
                            let visits = args.iter().rev();
                            stack.extend(visits.map(|&arg| Task::Visit(arg, positive)));
                        }
                        Op::Ite => {
                            stack.push(Task::Build(term, positive));
                            stack.extend([args[2], args[1]].map(|t| Task::Visit(t, positive)));
                        }
                        _ => {
                            let leaf = self.leaf(term, positive);
                            self.done.insert((term, positive), leaf);
                        }
                    }
                }
                Task::Build(term, positive) => {
                    let args = terms.args(term);
                    let part = |arg: &Term| self.done[&(*arg, positive)];
                    let result = match terms.op(term) {
                        Op::Not => self.done[&(args[0], !positive)],
                        Op::Ite => terms.ite(args[0], part(&args[1]), part(&args[2])),
                        Op::And if positive => terms.and(args.iter().map(part)),
                        Op::Or if !positive => terms.and(args.iter().map(part)),
                        _ => terms.or(args.iter().map(part)),
                    };
                    self.done.insert((term, positive), result);
                }
            }
        }
        self.done[&(formula, true)]
    }

    fn leaf(&mut self, term: Term, positive: bool) -> Term {
        let terms = self.terms;
        let literal = if positive { term } else { terms.not(term) };
        if self.halves {
            let parts = halves(terms, literal);
            if parts.len() > 1 {
                return terms.and(parts.into_iter().map(|part| self.guard(part)));
            }
        }
        self.guard(literal)
    }

    fn guard(&mut self, literal: Term) -> Term {
        let terms = self.terms;
        if matches!(terms.op(literal), Op::Bool(_)) || self.guards.len() >= self.most {
            return literal;
        }
        let guard = terms.var(
            "needed",
            // No step of a path has this number.
            Version::AuxAt(u32::MAX, self.guards.len() as u32),
            Sort::Bool,
        );
        self.guards.push(guard);
        terms.or2(terms.not(guard), literal)
    }

    /// A guarded formula with the literals of the kept guards; the others are gone.
    pub(super) fn kept(&self, guarded: Term, keep: &[Term]) -> Term {
        let keep: HashSet<Term> = keep.iter().copied().collect();
        let values: HashMap<Term, Term> = self
            .guards
            .iter()
            .map(|&guard| (guard, self.terms.bool(keep.contains(&guard))))
            .collect();
        self.terms.substitute(guarded, &values)
    }
}

/// An equation between numbers as two inequalities; anything else as it is.
pub(super) fn halves(terms: &Terms, literal: Term) -> Vec<Term> {
    match (terms.op(literal), terms.args(literal)) {
        (Op::Eq, &[a, b]) if terms.sort(a).is_arithmetic() => {
            vec![terms.le(a, b), terms.le(b, a)]
        }
        _ => vec![literal],
    }
}

/// A core of which, as far as the time goes, no element can be left out. `Ok(None)` if the
/// assumptions can hold.
pub(super) fn core(
    solver: &mut Solver<'_, '_>,
    assumptions: &[Term],
    budget: &Budget<'_>,
) -> Result<Option<Vec<Term>>, Failure> {
    match solver.check(assumptions, budget.modest()?) {
        Answer::Unsat => {}
        Answer::Sat => return Ok(None),
        Answer::Unknown(failure) => return Err(failure),
    }
    minimal(solver, budget).map(Some)
}

/// Leaves out of the core of the last answer what can be left out, for as long as that is quick.
pub(super) fn minimal(
    solver: &mut Solver<'_, '_>,
    budget: &Budget<'_>,
) -> Result<Vec<Term>, Failure> {
    let patience = budget.share(8);
    let mut kept = solver.core();
    let mut next = 0;
    while next < kept.len() && !patience.is_over() {
        budget.control().check()?;
        let mut fewer = kept.clone();
        fewer.remove(next);
        if solver.check(&fewer, patience.short()) == Answer::Unsat {
            let smaller: HashSet<Term> = solver.core().into_iter().collect();
            let before = kept[..next].iter().filter(|t| smaller.contains(t)).count();
            kept = fewer.into_iter().filter(|t| smaller.contains(t)).collect();
            next = before;
        } else {
            next += 1;
        }
    }
    Ok(kept)
}
