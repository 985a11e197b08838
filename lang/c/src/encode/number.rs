//! Integers: C's arithmetic in Boogie's.
//!
//! *Math*: a C integer is an `int` within the range of its type. Wrap-around is written out, as a
//! case split where one round can be enough, and left out where the ranges of the operands exclude
//! it. *Bits*: a C integer is a bit-vector of its width.
//!
//! Whether an operation is defined is checked by the caller's [`Body::require`].

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use super::body::{Body, Undefined};
use super::text::Text;
use crate::ir::{BinaryOp, CompareOp};
use crate::types::IntType;

/// A C integer in Boogie.
#[derive(Clone, Debug)]
pub struct Number {
    /// Its value: an `int` or a bit-vector.
    pub text: Text,
    /// Its C type.
    pub ty: IntType,
    /// The least value it can have.
    pub low: BigInt,
    /// The greatest value it can have.
    pub high: BigInt,
    /// If it is 1 or 0 by the truth of something: that.
    pub truth: Option<Text>,
}

/// The least and the greatest value of a type.
pub fn range(ty: IntType) -> (BigInt, BigInt) {
    let one = BigInt::one();
    match ty.signed {
        true => {
            let half = &one << (ty.bits - 1);
            (-&half, half - one)
        }
        false => (BigInt::zero(), (&one << ty.bits) - one),
    }
}

impl Number {
    /// A value of a type about which nothing else is known.
    pub fn new(text: Text, ty: IntType) -> Number {
        let (low, high) = range(ty);
        Number {
            text,
            ty,
            low,
            high,
            truth: None,
        }
    }

    /// The value, if it is a constant.
    pub fn constant(&self) -> Option<&BigInt> {
        (self.low == self.high).then_some(&self.low)
    }

    fn is_truth(&self) -> bool {
        !self.low.is_negative() && self.high <= BigInt::one()
    }
}

impl Body<'_, '_> {
    /// A constant. It must be a value of the type.
    pub fn constant(&self, value: &BigInt, ty: IntType) -> Number {
        let text = match self.bits() {
            false => Text::int(value.clone()),
            true => self.bit_literal(value, ty.bits),
        };
        Number {
            text,
            ty,
            low: value.clone(),
            high: value.clone(),
            truth: None,
        }
    }

    /// A bit-vector literal, modulo 2^width.
    fn bit_literal(&self, value: &BigInt, width: u32) -> Text {
        let value = value.mod_floor(&(BigInt::one() << width));
        Text::atom(format!("{value}bv{width}"))
    }

    /// 1 or 0, as an `int` of C.
    pub fn number_of_truth(&self, truth: Text) -> Number {
        let ty = IntType::INT;
        let (zero, one) = (
            self.constant(&BigInt::zero(), ty),
            self.constant(&BigInt::one(), ty),
        );
        match truth.as_truth() {
            Some(true) => one,
            Some(false) => zero,
            None => Number {
                text: truth.choose(&one.text, &zero.text),
                ty,
                low: BigInt::zero(),
                high: BigInt::one(),
                truth: Some(truth),
            },
        }
    }

    /// Whether a number differs from zero.
    pub fn truth_of_number(&self, number: &Number) -> Text {
        if let Some(truth) = &number.truth {
            return truth.clone();
        }
        if let Some(value) = number.constant() {
            return Text::truth(!value.is_zero());
        }
        let zero = self.constant(&BigInt::zero(), number.ty);
        number.text.compare("!=", &zero.text)
    }

    /// A comparison of two numbers of the same type.
    pub fn compare_numbers(&mut self, op: CompareOp, a: &Number, b: &Number) -> Text {
        if let Some(known) = compared_by_range(op, a, b) {
            return Text::truth(known);
        }
        // `(a < b) != 0` and the like.
        if let (Some(truth), Some(value)) = (&a.truth, b.constant()) {
            let zero = value.is_zero();
            match op {
                CompareOp::Equal if zero => return truth.not(),
                CompareOp::NotEqual if zero => return truth.clone(),
                CompareOp::Equal if value.is_one() => return truth.clone(),
                CompareOp::NotEqual if value.is_one() => return truth.not(),
                _ => {}
            }
        }
        let operator = match op {
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
        };
        if !self.bits() || matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            return a.text.compare(operator, &b.text);
        }
        let (name, a, b) = match op {
            CompareOp::Less => ("lt", a, b),
            CompareOp::LessEqual => ("le", a, b),
            CompareOp::Greater => ("lt", b, a),
            _ => ("le", b, a),
        };
        let sign = if a.ty.signed { "s" } else { "u" };
        self.bit_relation(&format!("bv{sign}{name}"), a.ty.bits, &a.text, &b.text)
    }

    /// The same value in another type, modulo 2^n where it does not fit (C11 6.3.1.3; for signed
    /// types as gcc defines it).
    pub fn converted(&mut self, number: &Number, to: IntType) -> Number {
        if number.ty == to {
            return number.clone();
        }
        if self.bits() {
            return self.converted_bits(number, to);
        }
        let mut result = self.wrapped(
            number.text.clone(),
            number.low.clone(),
            number.high.clone(),
            to,
        );
        if number.is_truth() {
            result.truth = number.truth.clone();
        }
        result
    }

    fn converted_bits(&mut self, number: &Number, to: IntType) -> Number {
        let (from, bits) = (number.ty.bits, to.bits);
        if let Some(value) = number.constant() {
            let value = wrapped_value(value, to);
            return self.constant(&value, to);
        }
        let text = match bits.cmp(&from) {
            std::cmp::Ordering::Equal => number.text.clone(),
            std::cmp::Ordering::Less => number.text.extract(bits, 0),
            std::cmp::Ordering::Greater => {
                self.extended(&number.text, from, bits, number.ty.signed)
            }
        };
        let (low, high) = range(to);
        let mut result = Number::new(text, to);
        let fits = number.low >= low && number.high <= high;
        if self.in_annotation && !fits {
            self.require(Undefined::Overflow, Text::truth(false));
        }
        if fits {
            result.low = number.low.clone();
            result.high = number.high.clone();
            if number.is_truth() {
                result.truth = number.truth.clone();
            }
        }
        result
    }

    /// A longer bit-vector with the same value.
    fn extended(&mut self, text: &Text, from: u32, to: u32, signed: bool) -> Text {
        let by = to - from;
        let (name, builtin) = match signed {
            true => ("sext", "sign_extend"),
            false => ("zext", "zero_extend"),
        };
        let name = format!("{name}{from}to{to}");
        self.bit_function(
            &name,
            &format!("{builtin} {by}"),
            &[format!("bv{from}")],
            &format!("bv{to}"),
        );
        Text::call(&name, &[text])
    }

    /// A mathematical integer between `low` and `high` brought into the range of a type, modulo
    /// 2^n.
    pub fn wrapped(&mut self, text: Text, low: BigInt, high: BigInt, ty: IntType) -> Number {
        let (least, greatest) = range(ty);
        if low >= least && high <= greatest {
            return Number {
                text,
                ty,
                low,
                high,
                truth: None,
            };
        }
        if self.in_annotation {
            return self.within(text, &low, &high, ty);
        }
        if low == high {
            return self.constant(&wrapped_value(&low, ty), ty);
        }
        let modulus = BigInt::one() << ty.bits;
        if low >= &least - &modulus && high <= &greatest + &modulus {
            let value = self.named(text);
            let mut result = value.clone();
            if high > greatest {
                let less = value.subtract(&Text::int(modulus.clone()));
                result = value
                    .compare(">", &Text::int(greatest.clone()))
                    .choose(&less, &result);
            }
            if low < least {
                let more = value.add(&Text::int(modulus));
                result = value
                    .compare("<", &Text::int(least.clone()))
                    .choose(&more, &result);
            }
            return Number::new(result, ty);
        }
        let result = if ty.signed {
            let half = Text::int(-&least);
            text.add(&half).modulo(&Text::int(modulus)).subtract(&half)
        } else {
            text.modulo(&Text::int(modulus))
        };
        Number::new(result, ty)
    }

    /// `-a`
    pub fn negated(&mut self, a: &Number) -> Number {
        let zero = self.constant(&BigInt::zero(), a.ty);
        self.binary(BinaryOp::Subtract, &zero, a)
    }

    /// `~a`
    pub fn complement(&mut self, a: &Number) -> Number {
        if self.bits() {
            let text = self.bit_unary("bvnot", a.ty.bits, &a.text);
            return Number::new(text, a.ty);
        }
        // Two's complement: -a - 1, and 2^n - 1 - a.
        let top = match a.ty.signed {
            true => -BigInt::one(),
            false => range(a.ty).1,
        };
        Number {
            text: Text::int(top.clone()).subtract(&a.text),
            ty: a.ty,
            low: &top - &a.high,
            high: &top - &a.low,
            truth: None,
        }
    }

    /// An operation on two numbers of the same type; for shifts, the right one may be of another
    /// one.
    pub fn binary(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && let Some(value) = folded(op, x, y, a.ty)
        {
            return self.constant(&value, a.ty);
        }
        match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => self.ring(op, a, b),
            BinaryOp::Divide | BinaryOp::Remainder => self.division(op, a, b),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(op, a, b),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.bitwise(op, a, b),
        }
    }

    /// Sums, differences and products.
    fn ring(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let (low, high) = match op {
            BinaryOp::Add => (&a.low + &b.low, &a.high + &b.high),
            BinaryOp::Subtract => (&a.low - &b.high, &a.high - &b.low),
            _ => {
                let corners = [
                    &a.low * &b.low,
                    &a.low * &b.high,
                    &a.high * &b.low,
                    &a.high * &b.high,
                ];
                let least = corners.iter().min().cloned().unwrap_or_default();
                (least, corners.into_iter().max().unwrap_or_default())
            }
        };
        let (least, greatest) = range(a.ty);
        let fits = low >= least && high <= greatest;
        if self.bits() {
            let name = match op {
                BinaryOp::Add => "bvadd",
                BinaryOp::Subtract => "bvsub",
                _ => "bvmul",
            };
            let bits = a.ty.bits;
            if !a.ty.signed && !fits && self.in_annotation {
                self.require(Undefined::Overflow, Text::truth(false));
            }
            if a.ty.signed && !fits && self.minds_overflow() {
                let condition = self.no_bit_overflow(op, a, b);
                self.require(Undefined::Overflow, condition);
            }
            let text = self.bit_binary(name, bits, &a.text, &b.text);
            let mut result = Number::new(text, a.ty);
            if fits {
                (result.low, result.high) = (low, high);
            }
            return result;
        }
        let text = match op {
            BinaryOp::Add => a.text.add(&b.text),
            BinaryOp::Subtract => a.text.subtract(&b.text),
            _ => a.text.multiply(&b.text),
        };
        if fits {
            return Number {
                text,
                ty: a.ty,
                low,
                high,
                truth: None,
            };
        }
        if a.ty.signed && self.minds_overflow() {
            return self.within(text, &low, &high, a.ty);
        }
        self.wrapped(text, low, high, a.ty)
    }

    /// A mathematical integer that must be in the range of its signed type.
    fn within(&mut self, text: Text, low: &BigInt, high: &BigInt, ty: IntType) -> Number {
        let (least, greatest) = range(ty);
        let value = match low < &least && high > &greatest {
            true => self.named(text),
            false => text,
        };
        let mut condition = Text::truth(true);
        if low < &least {
            condition = Text::int(least.clone()).compare("<=", &value);
        }
        if high > &greatest {
            condition = condition.and(&value.compare("<=", &Text::int(greatest.clone())));
        }
        self.require(Undefined::Overflow, condition);
        Number {
            text: value,
            ty,
            low: low.max(&least).clone(),
            high: high.min(&greatest).clone(),
            truth: None,
        }
    }

    /// That an operation on signed bit-vectors does not overflow.
    fn no_bit_overflow(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Text {
        let bits = a.ty.bits;
        let wide = if op == BinaryOp::Multiply {
            2 * bits
        } else {
            bits + 1
        };
        let name = match op {
            BinaryOp::Add => "bvadd",
            BinaryOp::Subtract => "bvsub",
            _ => "bvmul",
        };
        let narrow = self.bit_binary(name, bits, &a.text, &b.text);
        let (x, y) = (
            self.extended(&a.text, bits, wide, true),
            self.extended(&b.text, bits, wide, true),
        );
        let exact = self.bit_binary(name, wide, &x, &y);
        let again = self.extended(&narrow, bits, wide, true);
        exact.equals(&again)
    }

    /// Quotients and remainders, rounded towards zero (C11 6.5.5).
    fn division(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        if !(b.low.is_positive() || b.high.is_negative()) {
            let zero = self.constant(&BigInt::zero(), b.ty);
            let condition = b.text.compare("!=", &zero.text);
            self.require(Undefined::Division, condition);
        }
        let (least, _) = range(a.ty);
        let minus_one = -BigInt::one();
        let overflows = a.ty.signed && a.low == least && b.low <= minus_one && minus_one <= b.high;
        if overflows && self.minds_overflow() {
            let lowest = self.constant(&least, a.ty);
            let minus = self.constant(&minus_one, a.ty);
            let condition = a
                .text
                .compare("!=", &lowest.text)
                .or(&b.text.compare("!=", &minus.text));
            self.require(Undefined::Overflow, condition);
        }
        if self.bits() {
            let sign = if a.ty.signed { "s" } else { "u" };
            let name = match op {
                BinaryOp::Divide => "div",
                _ => "rem",
            };
            let text = self.bit_binary(&format!("bv{sign}{name}"), a.ty.bits, &a.text, &b.text);
            let mut result = Number::new(text, a.ty);
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
        let (x, y) = (self.named(a.text.clone()), self.named(b.text.clone()));
        let plain = |x: &Text, y: &Text| match op {
            BinaryOp::Divide => x.div(y),
            _ => x.modulo(y),
        };
        let zero = Text::int(0);
        // By a positive divisor, then by the sign of the dividend; Boogie rounds down.
        let by = |y: &Text| {
            let up = plain(&x, y);
            if positive(a) {
                return up;
            }
            let down = plain(&x.negate(), y).negate();
            x.compare(">=", &zero).choose(&up, &down)
        };
        let text = if positive(b) {
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
                y.compare(">", &zero).choose(&forward, &backward)
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
            return self.wrapped(text, low, high, a.ty);
        }
        let (least, greatest) = range(a.ty);
        Number {
            text,
            ty: a.ty,
            low: low.max(least),
            high: high.min(greatest),
            truth: None,
        }
    }

    /// Shifts (C11 6.5.7; to the right, of negative numbers, as gcc defines it).
    fn shift(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
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
                let there = self.bit_binary("bvshl", bits, &a.text, &count.text);
                let back = self.bit_binary("bvashr", bits, &there, &count.text);
                let condition = back.equals(&a.text);
                self.require(Undefined::Overflow, condition);
            }
            let text = self.bit_binary(name, bits, &a.text, &count.text);
            return Number::new(text, a.ty);
        }
        let factor = match b.constant().and_then(|count| count.to_u32()) {
            Some(count) if count < bits => Text::int(BigInt::one() << count),
            Some(_) => Text::int(1),
            None => self.power_of_two(b, bits),
        };
        let (least_count, most_count) = (
            b.low.to_u32().unwrap_or(0).min(bits - 1),
            b.high.to_u32().unwrap_or(bits - 1).min(bits - 1),
        );
        if op == BinaryOp::ShiftRight {
            let text = a.text.div(&factor);
            let shifted = |value: &BigInt, count: u32| value >> count;
            let ends = [
                shifted(&a.low, least_count),
                shifted(&a.low, most_count),
                shifted(&a.high, least_count),
                shifted(&a.high, most_count),
            ];
            return Number {
                text,
                ty: a.ty,
                low: ends.iter().min().cloned().unwrap_or_default(),
                high: ends.iter().max().cloned().unwrap_or_default(),
                truth: None,
            };
        }
        let text = a.text.multiply(&factor);
        let ends = [
            &a.low << least_count,
            &a.low << most_count,
            &a.high << least_count,
            &a.high << most_count,
        ];
        let low = ends.iter().min().cloned().unwrap_or_default();
        let high = ends.iter().max().cloned().unwrap_or_default();
        if a.ty.signed && self.checks_overflow() {
            return self.within(text, &low, &high, a.ty);
        }
        self.wrapped(text, low, high, a.ty)
    }

    /// 2^count for a count below `bits`.
    fn power_of_two(&mut self, count: &Number, bits: u32) -> Text {
        let count_text = self.named(count.text.clone());
        let last = count.high.to_u32().unwrap_or(bits - 1).min(bits - 1);
        let mut text = Text::int(BigInt::one() << last);
        for value in (0..last).rev() {
            text = count_text
                .compare("==", &Text::int(value))
                .choose(&Text::int(BigInt::one() << value), &text);
        }
        self.named(text)
    }

    /// `&`, `|` and `^`.
    fn bitwise(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        if self.bits() {
            let name = match op {
                BinaryOp::And => "bvand",
                BinaryOp::Or => "bvor",
                _ => "bvxor",
            };
            let text = self.bit_binary(name, a.ty.bits, &a.text, &b.text);
            let mut result = Number::new(text, a.ty);
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
                self.unsupported(
                    "an operation on the bits of two variables with --int-encoding math",
                );
                return Number::new(self.anything(a.ty), a.ty);
            }
        };
        let value = Number {
            text: self.named(value.text.clone()),
            ..value.clone()
        };
        let and = masked(&value.text, &mask);
        let mask_text = Text::int(mask.clone());
        // In two's complement x | m == x + m - (x & m), and x ^ m == x + m - 2 (x & m).
        let text = match op {
            BinaryOp::And => and,
            BinaryOp::Or => value.text.add(&mask_text).subtract(&and),
            _ => {
                let twice = Text::int(2).multiply(&and);
                value.text.add(&mask_text).subtract(&twice)
            }
        };
        let mut result = Number::new(text, a.ty);
        if op == BinaryOp::And && !mask.is_negative() {
            result.low = BigInt::zero();
            result.high = mask;
        }
        result
    }
}

/// `value & mask` by divisions and remainders.
fn masked(value: &Text, mask: &BigInt) -> Text {
    if mask.is_negative() {
        // x & m == x - (x & ~m)
        let rest: BigInt = -mask - 1;
        return value.subtract(&masked(value, &rest));
    }
    let mut sum = Text::int(0);
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
            .div(&Text::int(BigInt::one() << low))
            .modulo(&Text::int(BigInt::one() << (high - low)))
            .multiply(&Text::int(BigInt::one() << low));
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

/// A value modulo 2^n.
pub fn wrapped_value(value: &BigInt, ty: IntType) -> BigInt {
    let modulus = BigInt::one() << ty.bits;
    let value = value.mod_floor(&modulus);
    let (_, greatest) = range(ty);
    if value > greatest {
        value - modulus
    } else {
        value
    }
}

/// The value of an operation on constants, if it is defined.
fn folded(op: BinaryOp, a: &BigInt, b: &BigInt, ty: IntType) -> Option<BigInt> {
    let exact = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide if !b.is_zero() => a / b,
        BinaryOp::Remainder if !b.is_zero() => a % b,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let count = b.to_u32().filter(|&count| count < ty.bits)?;
            match op {
                BinaryOp::ShiftLeft => a << count,
                _ => a >> count,
            }
        }
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => return None,
    };
    let wrapped = wrapped_value(&exact, ty);
    // A signed overflow is for the general way to judge.
    (!ty.signed || wrapped == exact).then_some(wrapped)
}

/// What a comparison says when the ranges of the operands decide it.
fn compared_by_range(op: CompareOp, a: &Number, b: &Number) -> Option<bool> {
    let less = if a.high < b.low {
        Some(true)
    } else if a.low >= b.high {
        Some(false)
    } else {
        None
    };
    let greater = if a.low > b.high {
        Some(true)
    } else if a.high <= b.low {
        Some(false)
    } else {
        None
    };
    let equal = match (a.constant(), b.constant()) {
        (Some(x), Some(y)) => Some(x == y),
        _ if less == Some(true) || greater == Some(true) => Some(false),
        _ => None,
    };
    match op {
        CompareOp::Equal => equal,
        CompareOp::NotEqual => equal.map(|equal| !equal),
        CompareOp::Less => less,
        CompareOp::LessEqual => greater.map(|greater| !greater),
        CompareOp::Greater => greater,
        CompareOp::GreaterEqual => less.map(|less| !less),
    }
}
