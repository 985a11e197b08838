//! Bit-vector terms as sums modulo a power of two, in one normal form.

use std::collections::{BTreeMap, HashMap};

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use ult_core::formula::{BvOp, Op, Sort, Term, Terms};

/// The width of a bit-vector.
pub(super) fn width(terms: &Terms, term: Term) -> Option<u32> {
    match terms.sort(term) {
        Sort::BitVec(width) => Some(*width),
        _ => None,
    }
}

/// A sum of multiples and a constant, all modulo `2^width`.
pub(super) struct Sum {
    pub width: u32,
    /// Not zero.
    pub factors: BTreeMap<Term, BigUint>,
    pub constant: BigUint,
}

impl Sum {
    /// A bit-vector as a sum of terms that are none.
    pub(super) fn of(terms: &Terms, term: Term) -> Option<Sum> {
        let mut sum = Sum {
            width: width(terms, term)?,
            factors: BTreeMap::new(),
            constant: BigUint::zero(),
        };
        sum.include(terms, term, BigUint::one());
        Some(sum)
    }

    /// `a - b`
    pub(super) fn difference(terms: &Terms, a: Term, b: Term) -> Option<Sum> {
        let mut sum = Sum::of(terms, a)?;
        let minus_one = sum.modulus() - BigUint::one();
        sum.include(terms, b, minus_one);
        Some(sum)
    }

    pub(super) fn modulus(&self) -> BigUint {
        BigUint::one() << self.width
    }

    /// Adds a multiple of a term.
    pub(super) fn include(&mut self, terms: &Terms, term: Term, factor: BigUint) {
        let modulus = self.modulus();
        let mut stack = vec![(term, factor)];
        while let Some((term, factor)) = stack.pop() {
            let minus = |factor: &BigUint| (&modulus - factor) % &modulus;
            match (terms.op(term), terms.args(term)) {
                (Op::BitVec(value), _) => {
                    self.constant = (&self.constant + value * factor) % &modulus;
                }
                (Op::Bv(BvOp::Add), &[a, b]) => stack.extend([(a, factor.clone()), (b, factor)]),
                (Op::Bv(BvOp::Sub), &[a, b]) => {
                    let negative = minus(&factor);
                    stack.extend([(a, factor), (b, negative)]);
                }
                (Op::Bv(BvOp::Neg), &[a]) => {
                    let negative = minus(&factor);
                    stack.push((a, negative));
                }
                (Op::Bv(BvOp::Mul), &[a, b]) => match (terms.op(a), terms.op(b)) {
                    (Op::BitVec(value), _) => stack.push((b, factor * value % &modulus)),
                    (_, Op::BitVec(value)) => stack.push((a, factor * value % &modulus)),
                    _ => self.plus(term, factor),
                },
                _ => self.plus(term, factor),
            }
        }
    }

    fn plus(&mut self, term: Term, factor: BigUint) {
        let modulus = self.modulus();
        let sum = self.factors.entry(term).or_default();
        *sum = (&*sum + factor) % modulus;
        if sum.is_zero() {
            self.factors.remove(&term);
        }
    }

    /// All multiplied with one factor.
    pub(super) fn times(&self, factor: &BigUint) -> Sum {
        let modulus = self.modulus();
        let mut factors = self.factors.clone();
        for value in factors.values_mut() {
            *value = &*value * factor % &modulus;
        }
        factors.retain(|_, value| !value.is_zero());
        Sum {
            width: self.width,
            factors,
            constant: &self.constant * factor % modulus,
        }
    }

    /// The parts with factors below half of the modulus, and the negated others.
    fn halves(&self, terms: &Terms) -> (Vec<Term>, Vec<Term>) {
        let modulus = self.modulus();
        let half = &modulus >> 1;
        let multiple = |term: Term, factor: &BigUint| match factor.is_one() {
            true => term,
            false => terms.bv(BvOp::Mul, &[terms.bitvec(factor.clone(), self.width), term]),
        };
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for (&term, factor) in &self.factors {
            // Half of the modulus is its own negation.
            if *factor <= half {
                plus.push(multiple(term, factor));
            } else {
                minus.push(multiple(term, &(&modulus - factor)));
            }
        }
        (plus, minus)
    }

    fn total(&self, terms: &Terms, parts: Vec<Term>) -> Term {
        let zero = terms.bitvec(BigUint::zero(), self.width);
        let total = parts
            .into_iter()
            .reduce(|a, b| terms.bv(BvOp::Add, &[a, b]));
        total.unwrap_or(zero)
    }

    /// The sum as a term: all that is added, then what is subtracted.
    pub(super) fn term(&self, terms: &Terms) -> Term {
        let modulus = self.modulus();
        let (mut plus, mut minus) = self.halves(terms);
        if !self.constant.is_zero() {
            if plus.is_empty() || self.constant <= (&modulus >> 1) {
                plus.push(terms.bitvec(self.constant.clone(), self.width));
            } else {
                minus.push(terms.bitvec(&modulus - &self.constant, self.width));
            }
        }
        if plus.is_empty()
            && let [only] = minus[..]
        {
            return terms.bv(BvOp::Neg, &[only]);
        }
        minus
            .into_iter()
            .fold(self.total(terms, plus), |sum, part| {
                terms.bv(BvOp::Sub, &[sum, part])
            })
    }

    /// `self == 0` without subtractions.
    pub(super) fn is_zero(&self, terms: &Terms) -> Term {
        let modulus = self.modulus();
        let (mut left, mut right) = self.halves(terms);
        if left.is_empty() {
            std::mem::swap(&mut left, &mut right);
            if !self.constant.is_zero() {
                right.push(terms.bitvec(self.constant.clone(), self.width));
            }
        } else if right.is_empty() || self.constant > (&modulus >> 1) {
            // A constant alone on its side stands there.
            if !self.constant.is_zero() {
                right.push(terms.bitvec(&modulus - &self.constant, self.width));
            }
        } else if !self.constant.is_zero() {
            left.push(terms.bitvec(self.constant.clone(), self.width));
        }
        terms.eq(self.total(terms, left), self.total(terms, right))
    }

    /// The inverse of an odd number modulo `2^width`.
    pub(super) fn inverse(&self, of: &BigUint) -> Option<BigUint> {
        let modulus = BigInt::from(self.modulus());
        let gcd = BigInt::from(of.clone()).extended_gcd(&modulus);
        let inverse = gcd.x.mod_floor(&modulus);
        gcd.gcd.is_one().then(|| inverse.to_biguint())?
    }
}

/// Equivalent formulas whose sums of bit-vectors, and equations between them, are in normal form,
/// and whose lowest bits are taken before operations that do not need the others.
#[derive(Default)]
pub(super) struct Tidy {
    done: HashMap<Term, Term>,
}

impl Tidy {
    pub(super) fn tidy(&mut self, terms: &Terms, root: Term) -> Term {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let node = terms.node(term);
            if !ready {
                stack.push((term, true));
                stack.extend(node.args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let args: Vec<Term> = node.args.iter().map(|arg| self.done[arg]).collect();
            let same = if *args == *node.args {
                term
            } else {
                terms.rebuild(node, &args)
            };
            let result = normal(terms, same);
            self.done.insert(term, result);
        }
        self.done[&root]
    }
}

fn normal(terms: &Terms, term: Term) -> Term {
    match (terms.op(term), terms.args(term)) {
        (Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Neg | BvOp::Mul), _) => {
            Sum::of(terms, term).map_or(term, |sum| sum.term(terms))
        }
        (Op::Eq, &[a, b]) => match Sum::difference(terms, a, b) {
            Some(sum) => sum.is_zero(terms),
            None => term,
        },
        (Op::Bv(op @ (BvOp::And | BvOp::Or | BvOp::Xor)), &[a, b]) => {
            let (a, b) = if is_literal(terms, a) { (b, a) } else { (a, b) };
            let (Op::BitVec(mask), Some(width)) = (terms.op(b), width(terms, a)) else {
                return term;
            };
            let all = *mask == (BigUint::one() << width) - BigUint::one();
            match (op, mask.is_zero(), all) {
                (BvOp::And, true, _) | (BvOp::Or, _, true) => b,
                (BvOp::And, _, true) | (BvOp::Or | BvOp::Xor, true, _) => a,
                (BvOp::Xor, _, true) => terms.bv(BvOp::Not, &[a]),
                _ => term,
            }
        }
        (&Op::Extract { high, low }, &[a]) => {
            let bits = bits(terms, a, high, low);
            match (terms.op(bits), terms.args(bits)) {
                (&Op::Extract { high, low: 0 }, &[a]) => lowest(terms, a, high).unwrap_or(bits),
                _ => bits,
            }
        }
        _ => term,
    }
}

/// The lowest bits of an operation that computes them from the lowest bits of its arguments.
fn lowest(terms: &Terms, of: Term, count: u32) -> Option<Term> {
    let Op::Bv(
        op @ (BvOp::Add
        | BvOp::Sub
        | BvOp::Neg
        | BvOp::Mul
        | BvOp::And
        | BvOp::Or
        | BvOp::Xor
        | BvOp::Not),
    ) = terms.op(of)
    else {
        return None;
    };
    let args: Vec<Term> = terms
        .args(of)
        .iter()
        .map(|&arg| {
            let bits = bits(terms, arg, count, 0);
            match (terms.op(bits), terms.args(bits)) {
                (&Op::Extract { high, low: 0 }, &[a]) => lowest(terms, a, high).unwrap_or(bits),
                _ => bits,
            }
        })
        .collect();
    Some(normal(terms, terms.bv(*op, &args)))
}

/// The bits `high-1 .. low`, looked up where they come from.
pub(super) fn bits(terms: &Terms, mut of: Term, mut high: u32, mut low: u32) -> Term {
    loop {
        match (terms.op(of), terms.args(of)) {
            (Op::Bv(BvOp::Concat), &[a, b]) => match width(terms, b) {
                Some(border) if high <= border => of = b,
                Some(border) if low >= border => {
                    (of, high, low) = (a, high - border, low - border);
                }
                _ => break,
            },
            (Op::ZeroExtend(_) | Op::SignExtend(_), &[a])
                if width(terms, a).is_some_and(|w| high <= w) =>
            {
                of = a;
            }
            (Op::Extract { low: under, .. }, &[a]) => {
                (of, high, low) = (a, high + under, low + under);
            }
            _ => break,
        }
    }
    terms.extract(of, high, low)
}

/// Whether the term is a literal.
pub(super) fn is_literal(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::BitVec(_))
}
