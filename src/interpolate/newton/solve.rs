//! Equations solved for a variable, theory by theory.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::bits::{Sum, Tidy, bits, width};
use ult_core::formula::{BvOp, Op, Sort, Term, Terms};

/// The variables to be eliminated, and what was made on the way.
pub(super) struct Scope<'t> {
    pub terms: &'t Terms,
    vars: HashSet<Term>,
    /// What the variables made here stand for, in terms of those that were there first.
    witness: HashMap<Term, Term>,
    mentioned: HashMap<Term, Rc<[Term]>>,
    pub tidy: Tidy,
}

/// An equivalent of a formula `f`: `var == value && side`, where `value` does not mention `var`.
/// (Up to variables made for it, which exist exactly if `f` holds.)
pub(super) struct Solution {
    pub var: Term,
    pub value: Term,
    pub side: Vec<Term>,
}

/// Operators above the variable that are taken off one after the other, at most.
const DEPTH: u32 = 16;

impl<'t> Scope<'t> {
    pub(super) fn new(terms: &'t Terms, vars: impl IntoIterator<Item = Term>) -> Scope<'t> {
        Scope {
            terms,
            vars: vars.into_iter().collect(),
            witness: HashMap::new(),
            mentioned: HashMap::new(),
            tidy: Tidy::default(),
        }
    }

    /// Whether the term is one of the variables.
    pub(super) fn is_dead(&self, term: Term) -> bool {
        self.vars.contains(&term)
    }

    /// The variables to be eliminated that occur in a term, in the order of creation.
    pub(super) fn dead_in(&mut self, term: Term) -> Rc<[Term]> {
        if let Some(known) = self.mentioned.get(&term) {
            return known.clone();
        }
        let mut found = self.terms.free_vars(&[term]);
        found.retain(|v| self.vars.contains(v));
        let found: Rc<[Term]> = found.into();
        self.mentioned.insert(term, found.clone());
        found
    }

    /// Whether any occurs.
    pub(super) fn mentions_dead(&mut self, term: Term) -> bool {
        !self.dead_in(term).is_empty()
    }

    /// Whether `var` occurs in `term`.
    pub(super) fn mentions(&mut self, term: Term, var: Term) -> bool {
        self.dead_in(term).contains(&var)
    }

    /// A further variable to be eliminated, which has the value of `witness`.
    pub(super) fn fresh(&mut self, name: &str, sort: Sort, witness: Option<Term>) -> Term {
        let var = self.terms.fresh_aux(name, sort);
        if let Some(witness) = witness {
            let witness = self.original(witness);
            self.witness.insert(var, witness);
        }
        self.vars.insert(var);
        var
    }

    /// A term without the variables made here, as far as they have a known meaning.
    pub(super) fn original(&self, term: Term) -> Term {
        self.terms.substitute(term, &self.witness)
    }

    /// A formula solved for one of the variables, if it is an equation of the right form.
    pub(super) fn solve(&mut self, formula: Term) -> Option<Solution> {
        let t = self.terms;
        if !self.mentions_dead(formula) {
            return None;
        }
        let simple = |var, value| Solution {
            var,
            value,
            side: Vec::new(),
        };
        match (t.op(formula), t.args(formula)) {
            (Op::Var(_), _) => Some(simple(formula, t.tt())),
            (Op::Not, &[inner]) if self.is_dead(inner) => Some(simple(inner, t.ff())),
            (Op::Not, &[inner]) => match (t.op(inner), t.args(inner)) {
                (Op::Eq, &[l, r]) if *t.sort(l) == Sort::Bool => self.equation(l, t.not(r)),
                _ => None,
            },
            (Op::Eq, &[l, r]) => self.equation(l, r),
            _ => None,
        }
    }

    fn equation(&mut self, left: Term, right: Term) -> Option<Solution> {
        if self.terms.sort(left).is_arithmetic() {
            return self.linear(left, right);
        }
        if matches!(self.terms.sort(left), Sort::BitVec(_))
            && let Some(solution) = self.summand(left, right, DEPTH)
        {
            return Some(solution);
        }
        self.isolate(left, right, DEPTH)
            .or_else(|| self.isolate(right, left, DEPTH))
    }

    /// `left == right` between numbers: a variable with a unit coefficient.
    fn linear(&mut self, left: Term, right: Term) -> Option<Solution> {
        let t = self.terms;
        let difference = t.sub(left, right);
        let (coefficients, _) = t.linear(difference);
        for (base, factor) in &coefficients {
            let unit = factor.abs().is_one() || *t.sort(*base) == Sort::Real;
            if !self.is_dead(*base) || !unit {
                continue;
            }
            let elsewhere = coefficients
                .iter()
                .any(|(other, _)| other != base && self.mentions(*other, *base));
            if elsewhere {
                continue;
            }
            // factor * base + rest == 0
            let sort = t.sort(*base).clone();
            let own = t.mul(&[t.number(factor.clone(), &sort)?, *base]);
            let rest = t.sub(difference, own);
            let scale: BigRational = -factor.recip();
            let value = t.mul(&[t.number(scale, &sort)?, rest]);
            return Some(Solution {
                var: *base,
                value,
                side: Vec::new(),
            });
        }
        None
    }

    /// `from == to` by taking operators off `from`.
    fn isolate(&mut self, from: Term, to: Term, depth: u32) -> Option<Solution> {
        let t = self.terms;
        if self.is_dead(from) {
            return (!self.mentions(to, from)).then(|| Solution {
                var: from,
                value: to,
                side: Vec::new(),
            });
        }
        if depth == 0 || !self.mentions_dead(from) {
            return None;
        }
        let with = |solution: Option<Solution>, side: Term| {
            solution.map(|mut solution| {
                solution.side.push(side);
                solution
            })
        };
        let args = t.args(from);
        match (t.op(from), args) {
            (Op::Not, &[a]) => self.isolate(a, t.not(to), depth - 1),
            (Op::Bv(BvOp::Not), &[a]) => self.isolate(a, t.bv(BvOp::Not, &[to]), depth - 1),
            (Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Neg | BvOp::Mul), _) => {
                self.summand(from, to, depth)
            }
            (Op::Bv(op @ (BvOp::Xor | BvOp::Xnor)), &[a, b]) => self
                .isolate(a, t.bv(*op, &[to, b]), depth - 1)
                .or_else(|| self.isolate(b, t.bv(*op, &[to, a]), depth - 1)),
            (Op::Bv(BvOp::Concat), &[a, b]) => {
                let (high, low) = (width(t, from)?, width(t, b)?);
                let (to_a, to_b) = (bits(t, to, high, low), bits(t, to, low, 0));
                match self.isolate(a, to_a, depth - 1) {
                    Some(found) => with(Some(found), t.eq(b, to_b)),
                    None => with(self.isolate(b, to_b, depth - 1), t.eq(a, to_a)),
                }
            }
            (Op::ZeroExtend(by), &[a]) => {
                let low = width(t, a)?;
                let zero = t.bitvec(BigUint::zero(), *by);
                let side = t.eq(bits(t, to, low + by, low), zero);
                let to = bits(t, to, low, 0);
                with(self.isolate(a, to, depth - 1), side)
            }
            (Op::SignExtend(by), &[a]) => {
                let low = bits(t, to, width(t, a)?, 0);
                let side = t.eq(to, t.sign_extend(low, *by));
                with(self.isolate(a, low, depth - 1), side)
            }
            (Op::Store, &[map, .., value]) => {
                let indices = &args[1..args.len() - 1];
                // `map` is `to`, but for the element at the index, which is not known.
                let Sort::Map(sort) = t.sort(map) else {
                    return None;
                };
                let side = t.eq(t.select(to, indices), value);
                let old = self.fresh("old", sort.range.clone(), Some(t.select(map, indices)));
                with(
                    self.isolate(map, t.store(to, indices, old), depth - 1),
                    side,
                )
            }
            _ => None,
        }
    }

    /// `from == to` for a sum `from`, by one of its summands.
    fn summand(&mut self, from: Term, to: Term, depth: u32) -> Option<Solution> {
        let t = self.terms;
        let sum = Sum::difference(t, from, to)?;
        for (&base, factor) in &sum.factors {
            let Some(inverse) = sum.inverse(factor) else {
                continue;
            };
            if !self.mentions_dead(base) {
                continue;
            }
            // base == -inverse * (sum - factor * base)
            let mut rest = sum.times(&(sum.modulus() - inverse));
            rest.factors.remove(&base);
            if let Some(solution) = self.isolate(base, rest.term(t), depth - 1) {
                return Some(solution);
            }
        }
        None
    }
}
