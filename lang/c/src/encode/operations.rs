//! Integers: quotients, shifts and operations on bits, as `number` has them.

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use super::body::Body;
use super::number::{Number, range};
use crate::ir::{BinaryOp, CompareOp};
use crate::types::IntType;
use crate::undefined::Undefined;
use ult_lang::build::Term;

impl Body<'_, '_> {
    /// Quotients and remainders, rounded towards zero (C11 6.5.5).
    pub(super) fn division(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        if !(b.low.is_positive() || b.high.is_negative()) {
            let zero = self.constant(&BigInt::zero(), b.ty);
            let condition = b.term.differs(&zero.term);
            self.require(Undefined::Division, condition);
        }
        let (least, _) = range(a.ty);
        let minus_one = -BigInt::one();
        let overflows = a.ty.signed && a.low == least && b.low <= minus_one && minus_one <= b.high;
        if overflows && self.minds_overflow() {
            let lowest = self.constant(&least, a.ty);
            let minus = self.constant(&minus_one, a.ty);
            let condition = a
                .term
                .differs(&lowest.term)
                .or(&b.term.differs(&minus.term));
            self.require(Undefined::Overflow, condition);
        }
        if self.bits() {
            let sign = if a.ty.signed { "s" } else { "u" };
            let name = match op {
                BinaryOp::Divide => "div",
                _ => "rem",
            };
            let term = self.bit_binary(&format!("bv{sign}{name}"), a.ty.bits, &a.term, &b.term);
            let mut result = Number::new(term, a.ty);
            if op == BinaryOp::Remainder && b.low.is_positive() {
                let bound: BigInt = &b.high - 1;
                result.high = bound.clone();
                result.low = if a.low.is_negative() {
                    -bound
                } else {
                    BigInt::zero()
                };
            }
            return result;
        }
        let positive = |n: &Number| !n.low.is_negative();
        let (x, y) = (self.named(a.term.clone()), self.named(b.term.clone()));
        let plain = |x: &Term, y: &Term| match op {
            BinaryOp::Divide => x.div(y),
            _ => x.modulo(y),
        };
        let zero = Term::int(0);
        // By a positive divisor, then by the sign of the dividend; Boogie rounds down.
        let by = |y: &Term| {
            let up = plain(&x, y);
            if positive(a) {
                return up;
            }
            let down = plain(&x.negate(), y).negate();
            x.at_least(&zero).choose(&up, &down)
        };
        let term = if positive(b) {
            by(&y)
        } else {
            let (forward, other) = (by(&y), by(&y.negate()));
            let backward = match op {
                BinaryOp::Divide => other.negate(),
                _ => other,
            };
            if b.high.is_negative() {
                backward
            } else {
                y.greater(&zero).choose(&forward, &backward)
            }
        };
        let largest = a.low.abs().max(a.high.abs());
        let (mut low, mut high) = match op {
            BinaryOp::Divide => {
                let divisor = match b.low.is_positive() {
                    true => b.low.clone(),
                    false => BigInt::one(),
                };
                let bound = largest / divisor;
                (-&bound, bound)
            }
            _ => {
                let divisor = b.low.abs().max(b.high.abs());
                let bound = largest.min(divisor - 1).max(BigInt::zero());
                (-&bound, bound)
            }
        };
        if positive(a) && (positive(b) || op == BinaryOp::Remainder) {
            low = BigInt::zero();
        }
        if !positive(a) && a.high <= BigInt::zero() && positive(b) {
            high = BigInt::zero();
        }
        if overflows && op == BinaryOp::Divide && !self.minds_overflow() {
            return self.wrapped(term, low, high, a.ty);
        }
        let (least, greatest) = range(a.ty);
        Number {
            term,
            ty: a.ty,
            low: low.max(least),
            high: high.min(greatest),
            truth: None,
        }
    }

    /// Shifts (C11 6.5.7; to the right, of negative numbers, as gcc defines it).
    pub(super) fn shift(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let bits = a.ty.bits;
        let width = BigInt::from(bits);
        if b.low.is_negative() || b.high >= width {
            let zero = self.constant(&BigInt::zero(), b.ty);
            let last = self.constant(&(&width - 1), b.ty);
            let mut condition = self.compare_numbers(CompareOp::LessEqual, b, &last);
            if b.ty.signed {
                condition = self
                    .compare_numbers(CompareOp::LessEqual, &zero, b)
                    .and(&condition);
            }
            let what = match op {
                BinaryOp::ShiftLeft if a.ty.signed => Undefined::SignedShiftLeft,
                _ => Undefined::Shift,
            };
            self.require(what, condition);
        }
        if op == BinaryOp::ShiftLeft && a.ty.signed && a.low.is_negative() && self.checks_overflow()
        {
            // gcc shifts negative numbers to the left as if they were unsigned; C does not.
            let zero = self.constant(&BigInt::zero(), a.ty);
            let condition = self.compare_numbers(CompareOp::LessEqual, &zero, a);
            self.require(Undefined::Overflow, condition);
        }
        if self.bits() {
            let count = self.converted(
                b,
                IntType {
                    bits,
                    signed: false,
                },
            );
            let name = match op {
                BinaryOp::ShiftLeft => "bvshl",
                _ if a.ty.signed => "bvashr",
                _ => "bvlshr",
            };
            if op == BinaryOp::ShiftLeft && a.ty.signed && self.checks_overflow() {
                // What is shifted out must be copies of the sign.
                let there = self.bit_binary("bvshl", bits, &a.term, &count.term);
                let back = self.bit_binary("bvashr", bits, &there, &count.term);
                let condition = back.equals(&a.term);
                self.require(Undefined::Overflow, condition);
            }
            let term = self.bit_binary(name, bits, &a.term, &count.term);
            return Number::new(term, a.ty);
        }
        let factor = match b.constant().and_then(|count| count.to_u32()) {
            Some(count) if count < bits => Term::int(BigInt::one() << count),
            Some(_) => Term::int(1),
            None => self.power_of_two(b, bits),
        };
        let (least_count, most_count) = (
            b.low.to_u32().unwrap_or(0).min(bits - 1),
            b.high.to_u32().unwrap_or(bits - 1).min(bits - 1),
        );
        if op == BinaryOp::ShiftRight {
            let term = a.term.div(&factor);
            let shifted = |value: &BigInt, count: u32| value >> count;
            let ends = [
                shifted(&a.low, least_count),
                shifted(&a.low, most_count),
                shifted(&a.high, least_count),
                shifted(&a.high, most_count),
            ];
            return Number {
                term,
                ty: a.ty,
                low: ends.iter().min().cloned().unwrap_or_default(),
                high: ends.iter().max().cloned().unwrap_or_default(),
                truth: None,
            };
        }
        let term = a.term.multiply(&factor);
        let ends = [
            &a.low << least_count,
            &a.low << most_count,
            &a.high << least_count,
            &a.high << most_count,
        ];
        let low = ends.iter().min().cloned().unwrap_or_default();
        let high = ends.iter().max().cloned().unwrap_or_default();
        if a.ty.signed && self.checks_overflow() {
            return self.within(term, &low, &high, a.ty);
        }
        self.wrapped(term, low, high, a.ty)
    }

    /// 2^count for a count below `bits`.
    fn power_of_two(&mut self, count: &Number, bits: u32) -> Term {
        let count_text = self.named(count.term.clone());
        let last = count.high.to_u32().unwrap_or(bits - 1).min(bits - 1);
        let mut term = Term::int(BigInt::one() << last);
        for value in (0..last).rev() {
            term = count_text
                .equals(&Term::int(value))
                .choose(&Term::int(BigInt::one() << value), &term);
        }
        self.named(term)
    }

    /// `&`, `|` and `^`.
    pub(super) fn bitwise(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        if self.bits() {
            let name = match op {
                BinaryOp::And => "bvand",
                BinaryOp::Or => "bvor",
                _ => "bvxor",
            };
            let term = self.bit_binary(name, a.ty.bits, &a.term, &b.term);
            let mut result = Number::new(term, a.ty);
            if a.is_truth() && b.is_truth() {
                result.low = BigInt::zero();
                result.high = BigInt::one();
            }
            return result;
        }
        if a.is_truth() && b.is_truth() {
            let (x, y) = (self.truth_of_number(a), self.truth_of_number(b));
            let truth = match op {
                BinaryOp::And => x.and(&y),
                BinaryOp::Or => x.or(&y),
                _ => x.differs(&y),
            };
            let mut result = self.number_of_truth(truth);
            result.ty = a.ty;
            return result;
        }
        let (value, mask) = match (a.constant(), b.constant()) {
            (_, Some(mask)) => (a, mask.clone()),
            (Some(mask), _) => (b, mask.clone()),
            (None, None) => {
                if !self.enc.overapprox {
                    self.unsupported(
                        "an operation on the bits of two variables with --int-encoding math",
                    );
                }
                return Number::new(self.anything(a.ty), a.ty);
            }
        };
        let value = Number {
            term: self.named(value.term.clone()),
            ..value.clone()
        };
        let and = masked(&value.term, &mask);
        let mask_text = Term::int(mask.clone());
        // In two's complement x | m == x + m - (x & m), and x ^ m == x + m - 2 (x & m).
        let term = match op {
            BinaryOp::And => and,
            BinaryOp::Or => value.term.add(&mask_text).subtract(&and),
            _ => {
                let twice = Term::int(2).multiply(&and);
                value.term.add(&mask_text).subtract(&twice)
            }
        };
        let mut result = Number::new(term, a.ty);
        if op == BinaryOp::And && !mask.is_negative() {
            result.low = BigInt::zero();
            result.high = mask;
        }
        result
    }
}

/// `value & mask` by divisions and remainders.
fn masked(value: &Term, mask: &BigInt) -> Term {
    if mask.is_negative() {
        // x & m == x - (x & ~m)
        let rest: BigInt = -mask - 1;
        return value.subtract(&masked(value, &rest));
    }
    let mut sum = Term::int(0);
    let mut low = 0u64;
    let bits = mask.bits();
    while low < bits {
        if !mask.bit(low) {
            low += 1;
            continue;
        }
        let mut high = low;
        while high < bits && mask.bit(high) {
            high += 1;
        }
        let part = value
            .div(&Term::int(BigInt::one() << low))
            .modulo(&Term::int(BigInt::one() << (high - low)))
            .multiply(&Term::int(BigInt::one() << low));
        sum = sum.add(&part);
        low = high;
    }
    sum
}

/// How many `div` and `mod` a mask needs.
pub fn runs_of(mask: &BigInt) -> usize {
    let mask = if mask.is_negative() {
        -mask - 1
    } else {
        mask.clone()
    };
    let bits = mask.bits();
    (0..bits)
        .filter(|&bit| mask.bit(bit) && (bit == 0 || !mask.bit(bit - 1)))
        .count()
}
