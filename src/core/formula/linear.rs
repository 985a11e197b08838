//! Linear comparisons in one normal form.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::sort::Sort;
use super::term::{Op, Term, Terms};

impl Terms {
    /// An equivalent formula whose comparisons of numbers are in normal form: coprime integer
    /// coefficients, only additions on both sides, no strict comparison of integers, and
    /// `a <= b && b <= a` written as `a == b`. Equivalent comparisons become the same term.
    pub fn normalised(&self, root: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in self.post_order(&[root]) {
            let node = self.node(term);
            let args: Vec<Term> = node.args.iter().map(|t| done[t]).collect();
            let same = if *args == *node.args {
                term
            } else {
                self.rebuild(node, &args)
            };
            let result = match self.op(same) {
                Op::Le | Op::Lt | Op::Eq => self.comparison(same),
                Op::And => self.join_bounds(same),
                _ => same,
            };
            done.insert(term, result);
        }
        done[&root]
    }

    /// `a <= b && b <= a` as `a == b`, among the conjuncts.
    fn join_bounds(&self, conjunction: Term) -> Term {
        let parts = self.conjuncts(conjunction);
        let mut joined = Vec::with_capacity(parts.len());
        for &part in &parts {
            let opposite = match (self.op(part), self.args(part)) {
                (Op::Le, &[a, b]) => Some(self.le(b, a)),
                _ => None,
            };
            match opposite {
                Some(opposite) if parts.contains(&opposite) => {
                    let args = self.args(part);
                    joined.push(self.eq(args[0], args[1]));
                }
                _ => joined.push(part),
            }
        }
        self.and(joined)
    }

    /// A comparison of numbers in normal form; anything else as it is.
    pub(super) fn comparison(&self, term: Term) -> Term {
        let node = self.node(term);
        let &[left, right] = &*node.args else {
            return term;
        };
        let sort = self.sort(left).clone();
        if !sort.is_arithmetic() {
            return term;
        }
        let (mut coefficients, mut constant) = self.linear(self.sub(left, right));
        if coefficients.is_empty() {
            return term;
        }
        // sum + constant (<=, <, ==) 0, scaled to coprime integer coefficients.
        let integers = sort == Sort::Int;
        let mut strict = node.op == Op::Lt;
        if integers && strict {
            constant += BigRational::one();
            strict = false;
        }
        let mut scale = to_coprime(&coefficients);
        if node.op == Op::Eq && coefficients[0].1.is_negative() {
            scale = -scale;
        }
        for (_, a) in &mut coefficients {
            *a *= &scale;
        }
        constant *= &scale;
        if integers && !constant.is_integer() {
            match node.op {
                Op::Eq => return self.ff(),
                _ => constant = constant.ceil(),
            }
        }
        let (mut smaller, mut larger) = (Vec::new(), Vec::new());
        for (base, a) in coefficients {
            let Some(factor) = self.number(a.abs(), &sort) else {
                return term;
            };
            let part = self.mul(&[factor, base]);
            if a.is_positive() {
                smaller.push(part)
            } else {
                larger.push(part)
            }
        }
        // A constant alone on its side keeps its sign; else it goes where it is positive.
        if smaller.is_empty() || (constant.is_positive() && !larger.is_empty()) {
            smaller.extend(self.number(constant, &sort));
        } else if larger.is_empty() || !constant.is_zero() {
            larger.extend(self.number(-constant, &sort));
        }
        let (smaller, larger) = (self.add(&smaller), self.add(&larger));
        match (&node.op, strict) {
            (Op::Eq, _) => self.eq(smaller, larger),
            (_, true) => self.lt(smaller, larger),
            (_, false) => self.le(smaller, larger),
        }
    }

    /// A number as a linear combination of terms that are no sums, and a constant.
    pub fn linear(&self, term: Term) -> (Vec<(Term, BigRational)>, BigRational) {
        let parts = match self.op(term) {
            Op::Add => self.args(term),
            _ => std::slice::from_ref(&term),
        };
        let mut constant = BigRational::zero();
        let mut coefficients = Vec::new();
        for &part in parts {
            match self.as_number(part) {
                Some(value) => constant += value,
                None => {
                    let (factor, base) = self.split_factor(part);
                    coefficients.push((base, factor));
                }
            }
        }
        (coefficients, constant)
    }
}

/// The positive number that makes coefficients, of which there must be some, coprime integers.
pub(super) fn to_coprime(coefficients: &[(Term, BigRational)]) -> BigRational {
    let lcm = coefficients
        .iter()
        .fold(BigInt::one(), |lcm, (_, a)| lcm.lcm(a.denom()));
    let gcd = coefficients.iter().fold(BigInt::zero(), |gcd, (_, a)| {
        gcd.gcd(&(a * &lcm).to_integer())
    });
    BigRational::new(lcm, gcd)
}
