//! The translation of the operators on bit-vectors.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::context::Context;
use super::linear::{Linear, power};
use super::to_integers::{ToIntegers, Value, natural};
use ult_core::formula::eval::signed;
use ult_core::formula::{BvOp, Op, Term};

/// A mask with more runs of ones than this is not written out run by run.
const MOST_RUNS: usize = 8;

/// A shift by a variable that can have more values than this is not written out value by value.
const MOST_SHIFTS: u32 = 8;

impl ToIntegers<'_> {
    /// A term with an operator on bit-vectors whose arguments are translated.
    pub(super) fn operator(&mut self, term: Term, context: &mut Context) -> Value {
        let terms = self.terms;
        let node = terms.node(term);
        let args = &*node.args;
        match (&node.op, args) {
            (Op::Extract { high, low }, &[a]) => {
                let value = self.exact_of(a, context);
                Value::Bits(Linear::of(terms, self.slice(value, *high, *low, context)))
            }
            (Op::ZeroExtend(_), &[a]) => Value::Bits(Linear::of(terms, self.exact_of(a, context))),
            (Op::SignExtend(_), &[a]) => {
                let (bits, width) = self.bits_of(a, context);
                let value = self.exact(&bits, width, true, context);
                Value::Bits(Linear::of(terms, value))
            }
            (Op::Bv(BvOp::Concat), args) => {
                let mut sum = Linear::constant(0);
                let mut place = 0;
                for &arg in args.iter().rev() {
                    let value = self.exact_of(arg, context);
                    sum.add(&Linear::of(terms, value), &power(place));
                    place += self.width(arg);
                }
                Value::Bits(sum)
            }
            (Op::Bv(op), &[a]) => self.unary(*op, a, context, term),
            (Op::Bv(op), &[a, b]) => self.binary(*op, a, b, context, term),
            _ => self.opaque(term),
        }
    }

    fn unary(&mut self, op: BvOp, a: Term, context: &mut Context, term: Term) -> Value {
        let (bits, _) = self.bits_of(a, context);
        let mut result = Linear::constant(0).minus(&bits);
        match op {
            BvOp::Neg => {}
            // In two's complement `!x` is `-x - 1`.
            BvOp::Not => result.constant -= 1,
            _ => return self.opaque(term),
        }
        Value::Bits(result)
    }

    fn binary(&mut self, op: BvOp, a: Term, b: Term, context: &mut Context, term: Term) -> Value {
        let terms = self.terms;
        let width = self.width(a);
        let constant = |this: &Self, t: Term| match this.terms.op(t) {
            Op::BitVec(value) => Some(value.clone()),
            _ => None,
        };
        match op {
            BvOp::Add | BvOp::Sub => {
                let (mut sum, _) = self.bits_of(a, context);
                let (other, _) = self.bits_of(b, context);
                let sign = if op == BvOp::Add { 1 } else { -1 };
                sum.add(&other, &BigInt::from(sign));
                Value::Bits(sum.centred(width))
            }
            BvOp::Mul => {
                let (a, _) = self.bits_of(a, context);
                let (b, _) = self.bits_of(b, context);
                let (factor, base) = match (a.parts.is_empty(), b.parts.is_empty()) {
                    (true, _) => (a.constant, b),
                    (_, true) => (b.constant, a),
                    _ => return self.opaque(term),
                };
                let mut product = Linear::constant(0);
                product.add(&base, &factor);
                Value::Bits(product.centred(width))
            }
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => {
                let signed = matches!(op, BvOp::Slt | BvOp::Sle);
                let (a, _) = self.bits_of(a, context);
                let (b, _) = self.bits_of(b, context);
                let a = self.exact(&a, width, signed, context);
                let b = self.exact(&b, width, signed, context);
                Value::Plain(match op {
                    BvOp::Ult | BvOp::Slt => terms.lt(a, b),
                    _ => terms.le(a, b),
                })
            }
            BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Nand | BvOp::Nor | BvOp::Xnor => {
                let (x, _) = self.bits_of(a, context);
                let (y, _) = self.bits_of(b, context);
                let both = match (constant(self, a), constant(self, b)) {
                    (Some(mask), _) => self.masked(b, &mask, width, context),
                    (_, Some(mask)) => self.masked(a, &mask, width, context),
                    _ => None,
                };
                let both = match both {
                    Some(both) => both,
                    None => Linear::of(terms, self.common_bits(a, b)),
                };
                // a | b == a + b - (a & b), and a ^ b == a + b - 2 * (a & b).
                let mut result = Linear::constant(0);
                let times = match op {
                    BvOp::And | BvOp::Nand => 1,
                    BvOp::Or | BvOp::Nor => -1,
                    _ => -2,
                };
                if times < 0 {
                    result.add(&x, &BigInt::one());
                    result.add(&y, &BigInt::one());
                }
                result.add(&both, &BigInt::from(times));
                if matches!(op, BvOp::Nand | BvOp::Nor | BvOp::Xnor) {
                    result = Linear::constant(-1).minus(&result);
                }
                Value::Bits(result.centred(width))
            }
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => self.shift(op, a, b, context, term),
            BvOp::Udiv | BvOp::Urem => match constant(self, b) {
                Some(divisor) if divisor.is_zero() => Value::Bits(match op {
                    BvOp::Udiv => Linear::constant(-1),
                    _ => self.bits_of(a, context).0,
                }),
                Some(divisor) => {
                    let value = self.exact_of(a, context);
                    let divisor = natural(&divisor);
                    let result = match op {
                        BvOp::Udiv => self.quotient(value, &divisor, context),
                        _ => self.remainder(value, &divisor, context),
                    };
                    Value::Bits(Linear::of(terms, result))
                }
                None => self.opaque(term),
            },
            BvOp::Sdiv | BvOp::Srem | BvOp::Smod => match constant(self, b) {
                Some(divisor) if !divisor.is_zero() => {
                    let divisor = signed(&divisor, width);
                    self.signed_divided(op, a, &divisor, context, term)
                }
                _ => self.opaque(term),
            },
            BvOp::Not | BvOp::Neg | BvOp::Concat => self.opaque(term),
        }
    }

    /// `value div divisor`, simplified by what is known; the divisor is positive.
    fn quotient(&self, value: Term, divisor: &BigInt, context: &mut Context) -> Term {
        let terms = self.terms;
        let range = self.range(value, context).div(divisor);
        match range.both() {
            Some((low, high)) if low == high => terms.int(low.clone()),
            _ => terms.div(value, terms.int(divisor.clone())),
        }
    }

    /// `value mod divisor`, simplified by what is known; the divisor is positive.
    fn remainder(&self, value: Term, divisor: &BigInt, context: &mut Context) -> Term {
        let terms = self.terms;
        let range = self.range(value, context).div(divisor);
        match range.both() {
            Some((low, high)) if low == high => terms.sub(value, terms.int(low * divisor)),
            _ => terms.modulo(value, terms.int(divisor.clone())),
        }
    }

    /// The bits `high-1 .. low` of a number that is not negative.
    pub(super) fn slice(&self, value: Term, high: u32, low: u32, context: &mut Context) -> Term {
        let shifted = self.quotient(value, &power(low), context);
        self.remainder(shifted, &power(high.saturating_sub(low)), context)
    }

    /// `a & mask`, run by run; `None` if the mask has too many runs.
    fn masked(
        &mut self,
        a: Term,
        mask: &BigUint,
        width: u32,
        context: &mut Context,
    ) -> Option<Linear> {
        let bit = |i: u32| i < width && mask.bit(u64::from(i));
        let mut runs = Vec::new();
        let mut low = 0;
        while low < width {
            if !bit(low) {
                low += 1;
                continue;
            }
            let high = (low..=width).find(|&i| !bit(i)).unwrap_or(width);
            runs.push((high, low));
            low = high;
        }
        if runs.len() > MOST_RUNS {
            return None;
        }
        let value = self.exact_of(a, context);
        let mut sum = Linear::constant(0);
        for (high, low) in runs {
            let run = self.slice(value, high, low, context);
            sum.add(&Linear::of(self.terms, run), &power(low));
        }
        Some(sum)
    }

    /// `a & b` as an opaque integer.
    fn common_bits(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        self.opaque_variable(self.terms.bv(BvOp::And, &[a, b]))
    }

    /// What is known about the opaque integer that stands for a bit-vector term.
    pub(super) fn describe(&mut self, original: Term, anywhere: &mut Context) -> Vec<Term> {
        let terms = self.terms;
        let width = self.width(original);
        let (Op::Bv(op), &[a, b]) = (terms.op(original), terms.args(original)) else {
            return Vec::new();
        };
        let op = *op;
        if !matches!(op, BvOp::And | BvOp::Udiv | BvOp::Urem | BvOp::Lshr) {
            return Vec::new();
        }
        let result = self.opaque_variable(original);
        let x = self.exact_of(a, anywhere);
        let y = self.exact_of(b, anywhere);
        let by_zero = terms.eq(y, terms.int(0));
        let smaller = terms.le(result, x);
        match op {
            BvOp::And => {
                let either = terms.sub(terms.add(&[x, y]), result);
                let largest = terms.int(power(width) - 1);
                vec![smaller, terms.le(result, y), terms.le(either, largest)]
            }
            BvOp::Udiv => {
                let all_ones = terms.eq(result, terms.int(power(width) - 1));
                vec![terms.ite(by_zero, all_ones, smaller)]
            }
            BvOp::Urem => {
                let rest = terms.ite(by_zero, terms.eq(result, x), terms.lt(result, y));
                vec![smaller, rest]
            }
            _ => vec![smaller],
        }
    }

    /// Signed division by a constant that is not zero.
    fn signed_divided(
        &mut self,
        op: BvOp,
        a: Term,
        divisor: &BigInt,
        context: &mut Context,
        term: Term,
    ) -> Value {
        let terms = self.terms;
        let (bits, width) = self.bits_of(a, context);
        let value = self.exact(&bits, width, true, context);
        if op == BvOp::Smod {
            if divisor.is_negative() {
                return self.opaque(term);
            }
            return Value::Bits(Linear::of(terms, self.remainder(value, divisor, context)));
        }
        // Rounded towards zero.
        let negated = terms.neg(value);
        let size = divisor.abs();
        let (above, below) = match op {
            BvOp::Sdiv => {
                let above = self.quotient(value, &size, context);
                let below = terms.neg(self.quotient(negated, &size, context));
                if divisor.is_negative() {
                    (terms.neg(above), terms.neg(below))
                } else {
                    (above, below)
                }
            }
            _ => (
                self.remainder(value, &size, context),
                terms.neg(self.remainder(negated, &size, context)),
            ),
        };
        let below_zero = terms.lt(value, terms.int(0));
        let result = match self.range(value, context).both() {
            Some((low, _)) if !low.is_negative() => above,
            _ => terms.ite(below_zero, below, above),
        };
        Value::Bits(Linear::of(terms, result))
    }

    fn shift(&mut self, op: BvOp, a: Term, b: Term, context: &mut Context, term: Term) -> Value {
        let terms = self.terms;
        let width = self.width(a);
        let by = self.exact_of(b, context);
        let range = self.range(by, context);
        let Some((low, high)) = range.both() else {
            return self.opaque(term);
        };
        let limit = |n: &BigInt| {
            let n = n.max(&BigInt::zero()).to_u32();
            n.map_or(width, |n| n.min(width))
        };
        let (low, high) = (limit(low), limit(high));
        if high - low > MOST_SHIFTS {
            return self.opaque(term);
        }
        let mut result = self.shifted(op, a, high, context);
        for amount in (low..high).rev() {
            let here = self.shifted(op, a, amount, context);
            let condition = terms.le(by, terms.int(amount));
            result = self.choice(condition, &here, &result, width, context);
        }
        Value::Bits(result)
    }

    /// A shift by a constant, at most the width.
    fn shifted(&mut self, op: BvOp, a: Term, by: u32, context: &mut Context) -> Linear {
        let terms = self.terms;
        let (bits, width) = self.bits_of(a, context);
        match op {
            BvOp::Shl => {
                let mut product = Linear::constant(0);
                product.add(&bits, &power(by));
                product.centred(width)
            }
            _ => {
                let value = self.exact(&bits, width, op == BvOp::Ashr, context);
                Linear::of(terms, self.quotient(value, &power(by), context))
            }
        }
    }
}
