//! Linear combinations of integer terms, and intervals.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use ult_core::formula::{Op, Term, Terms};

/// `2^exponent`
pub(super) fn power(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

/// The sum of `parts[t] * t` and a constant; no factor is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Linear {
    pub(super) parts: BTreeMap<Term, BigInt>,
    pub(super) constant: BigInt,
}

impl Linear {
    /// A number.
    pub(super) fn constant(value: impl Into<BigInt>) -> Linear {
        Linear {
            parts: BTreeMap::new(),
            constant: value.into(),
        }
    }

    /// An integer term as a combination of what is neither a sum nor a multiple.
    pub(super) fn of(terms: &Terms, term: Term) -> Linear {
        let mut sum = Linear::constant(0);
        let parts = match terms.op(term) {
            Op::Add => terms.args(term),
            _ => std::slice::from_ref(&term),
        };
        for &part in parts {
            match (terms.op(part), terms.args(part)) {
                (Op::Int(value), _) => sum.constant += value,
                (Op::Mul, [first, base]) if matches!(terms.op(*first), Op::Int(_)) => {
                    if let Op::Int(factor) = terms.op(*first) {
                        sum.add_part(*base, factor.clone());
                    }
                }
                _ => sum.add_part(part, BigInt::one()),
            }
        }
        sum
    }

    fn add_part(&mut self, part: Term, factor: BigInt) {
        let entry = self.parts.entry(part).or_default();
        *entry += factor;
        if entry.is_zero() {
            self.parts.remove(&part);
        }
    }

    /// Adds a multiple of another combination.
    pub(super) fn add(&mut self, other: &Linear, factor: &BigInt) {
        for (&part, by) in &other.parts {
            self.add_part(part, by * factor);
        }
        self.constant += &other.constant * factor;
    }

    /// `self - other`
    pub(super) fn minus(&self, other: &Linear) -> Linear {
        let mut difference = self.clone();
        difference.add(other, &BigInt::from(-1));
        difference
    }

    /// The combination with constant zero.
    pub(super) fn without_constant(&self) -> Linear {
        Linear {
            parts: self.parts.clone(),
            constant: BigInt::zero(),
        }
    }

    /// A combination that is congruent modulo `2^width`, with all numbers close to zero.
    pub(super) fn centred(mut self, width: u32) -> Linear {
        let modulus = power(width);
        let centre = |value: &BigInt| {
            let rest = value.mod_floor(&modulus);
            if &rest * 2 > modulus {
                rest - &modulus
            } else {
                rest
            }
        };
        self.constant = centre(&self.constant);
        self.parts = self
            .parts
            .into_iter()
            .map(|(part, factor)| (part, centre(&factor)))
            .filter(|(_, factor)| !factor.is_zero())
            .collect();
        self
    }

    /// As a term.
    pub(super) fn term(&self, terms: &Terms) -> Term {
        let mut summands: Vec<Term> = self
            .parts
            .iter()
            .map(|(&part, factor)| terms.mul(&[terms.int(factor.clone()), part]))
            .collect();
        summands.push(terms.int(self.constant.clone()));
        terms.add(&summands)
    }
}

/// The integers from `low` to `high`, both included; `None` is no bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: Option<BigInt>,
    pub(super) high: Option<BigInt>,
}

impl Range {
    pub(super) fn new(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Range {
        Range {
            low: Some(low.into()),
            high: Some(high.into()),
        }
    }

    /// The values of bit-vectors of a width.
    pub(super) fn of_bits(width: u32, signed: bool) -> Range {
        if signed && width > 0 {
            Range::new(-power(width - 1), power(width - 1) - 1)
        } else {
            Range::new(0, power(width) - 1)
        }
    }

    /// Both bounds, if there are.
    pub(super) fn both(&self) -> Option<(&BigInt, &BigInt)> {
        Some((self.low.as_ref()?, self.high.as_ref()?))
    }

    pub(super) fn plus(&self, other: &Range) -> Range {
        let sum = |a: &Option<BigInt>, b: &Option<BigInt>| Some(a.as_ref()? + b.as_ref()?);
        Range {
            low: sum(&self.low, &other.low),
            high: sum(&self.high, &other.high),
        }
    }

    pub(super) fn times(&self, factor: &BigInt) -> Range {
        let scale = |bound: &Option<BigInt>| bound.as_ref().map(|b| b * factor);
        let (low, high) = (scale(&self.low), scale(&self.high));
        if factor.is_negative() {
            Range {
                low: high,
                high: low,
            }
        } else {
            Range { low, high }
        }
    }

    pub(super) fn meet(&self, other: &Range) -> Range {
        let pick = |a: &Option<BigInt>, b: &Option<BigInt>, larger: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if larger == (a > b) { a } else { b }.clone()),
            (a, b) => a.as_ref().or(b.as_ref()).cloned(),
        };
        Range {
            low: pick(&self.low, &other.low, true),
            high: pick(&self.high, &other.high, false),
        }
    }

    pub(super) fn hull(&self, other: &Range) -> Range {
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            _ => None,
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            _ => None,
        };
        Range { low, high }
    }

    /// The values of `x div divisor`, for a positive divisor.
    pub(super) fn div(&self, divisor: &BigInt) -> Range {
        let floor = |bound: &Option<BigInt>| bound.as_ref().map(|b| b.div_floor(divisor));
        Range {
            low: floor(&self.low),
            high: floor(&self.high),
        }
    }

    /// The values of `x mod divisor`, for a positive divisor.
    pub(super) fn modulo(&self, divisor: &BigInt) -> Range {
        if let Some((low, high)) = self.both() {
            let quotient = low.div_floor(divisor);
            if low <= high && quotient == high.div_floor(divisor) {
                let by = quotient * divisor;
                return Range::new(low - &by, high - by);
            }
        }
        Range::new(0, divisor - 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.both().is_some_and(|(low, high)| low > high)
    }
}
