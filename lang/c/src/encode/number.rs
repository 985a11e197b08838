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

use super::body::Body;
use crate::ir::{BinaryOp, CompareOp};
use crate::types::IntType;
use crate::undefined::Undefined;
use ult_lang::build::Term;
use ult_lang::hir;

/// A C integer in Boogie.
#[derive(Clone, Debug)]
pub struct Number {
    /// Its value: an `int` or a bit-vector.
    pub term: Term,
    /// Its C type.
    pub ty: IntType,
    /// The least value it can have.
    pub low: BigInt,
    /// The greatest value it can have.
    pub high: BigInt,
    /// If it is 1 or 0 by the truth of something: that.
    pub truth: Option<Term>,
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
    pub fn new(term: Term, ty: IntType) -> Number {
        let (low, high) = range(ty);
        Number {
            term,
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

    pub(super) fn is_truth(&self) -> bool {
        !self.low.is_negative() && self.high <= BigInt::one()
    }
}

impl Body<'_, '_> {
    /// A constant. It must be a value of the type.
    pub fn constant(&self, value: &BigInt, ty: IntType) -> Number {
        let term = match self.bits() {
            false => Term::int(value.clone()),
            true => Term::bit_vector(value, ty.bits),
        };
        Number {
            term,
            ty,
            low: value.clone(),
            high: value.clone(),
            truth: None,
        }
    }

    /// 1 or 0, as an `int` of C.
    pub fn number_of_truth(&self, truth: Term) -> Number {
        let ty = IntType::INT;
        let (zero, one) = (
            self.constant(&BigInt::zero(), ty),
            self.constant(&BigInt::one(), ty),
        );
        match truth.as_truth() {
            Some(true) => one,
            Some(false) => zero,
            None => Number {
                term: truth.choose(&one.term, &zero.term),
                ty,
                low: BigInt::zero(),
                high: BigInt::one(),
                truth: Some(truth),
            },
        }
    }

    /// Whether a number differs from zero.
    pub fn truth_of_number(&self, number: &Number) -> Term {
        if let Some(truth) = &number.truth {
            return truth.clone();
        }
        if let Some(value) = number.constant() {
            return Term::truth(!value.is_zero());
        }
        let zero = self.constant(&BigInt::zero(), number.ty);
        number.term.differs(&zero.term)
    }

    /// A comparison of two numbers of the same type.
    pub fn compare_numbers(&mut self, op: CompareOp, a: &Number, b: &Number) -> Term {
        if let Some(known) = compared_by_range(op, a, b) {
            return Term::truth(known);
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
            CompareOp::Equal => hir::BinaryOp::Eq,
            CompareOp::NotEqual => hir::BinaryOp::Neq,
            CompareOp::Less => hir::BinaryOp::Lt,
            CompareOp::LessEqual => hir::BinaryOp::Le,
            CompareOp::Greater => hir::BinaryOp::Gt,
            CompareOp::GreaterEqual => hir::BinaryOp::Ge,
        };
        if !self.bits() || matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            return a.term.compare(operator, &b.term);
        }
        let (name, a, b) = match op {
            CompareOp::Less => ("lt", a, b),
            CompareOp::LessEqual => ("le", a, b),
            CompareOp::Greater => ("lt", b, a),
            _ => ("le", b, a),
        };
        let sign = if a.ty.signed { "s" } else { "u" };
        self.bit_relation(&format!("bv{sign}{name}"), a.ty.bits, &a.term, &b.term)
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
            number.term.clone(),
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
        let term = match bits.cmp(&from) {
            std::cmp::Ordering::Equal => number.term.clone(),
            std::cmp::Ordering::Less => number.term.extract(bits, 0),
            std::cmp::Ordering::Greater => {
                self.extended(&number.term, from, bits, number.ty.signed)
            }
        };
        let (low, high) = range(to);
        let mut result = Number::new(term, to);
        let fits = number.low >= low && number.high <= high;
        if self.in_annotation && !fits {
            self.require(Undefined::Overflow, Term::truth(false));
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
    fn extended(&mut self, term: &Term, from: u32, to: u32, signed: bool) -> Term {
        let by = to - from;
        let (name, builtin) = match signed {
            true => ("sext", "sign_extend"),
            false => ("zext", "zero_extend"),
        };
        let name = format!("{name}{from}to{to}");
        let builtin = format!("{builtin} {by}");
        self.bit_function(&name, &builtin, &[term], &hir::Type::BitVec(to))
    }

    /// A mathematical integer between `low` and `high` brought into the range of a type, modulo
    /// 2^n.
    pub fn wrapped(&mut self, term: Term, low: BigInt, high: BigInt, ty: IntType) -> Number {
        let (least, greatest) = range(ty);
        if low >= least && high <= greatest {
            return Number {
                term,
                ty,
                low,
                high,
                truth: None,
            };
        }
        if self.in_annotation {
            return self.within(term, &low, &high, ty);
        }
        if low == high {
            return self.constant(&wrapped_value(&low, ty), ty);
        }
        let modulus = BigInt::one() << ty.bits;
        if low >= &least - &modulus && high <= &greatest + &modulus {
            let value = self.named(term);
            let mut result = value.clone();
            if high > greatest {
                let less = value.subtract(&Term::int(modulus.clone()));
                result = value
                    .greater(&Term::int(greatest.clone()))
                    .choose(&less, &result);
            }
            if low < least {
                let more = value.add(&Term::int(modulus));
                result = value.less(&Term::int(least.clone())).choose(&more, &result);
            }
            return Number::new(result, ty);
        }
        let result = if ty.signed {
            let half = Term::int(-&least);
            term.add(&half).modulo(&Term::int(modulus)).subtract(&half)
        } else {
            term.modulo(&Term::int(modulus))
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
            let term = self.bit_unary("bvnot", a.ty.bits, &a.term);
            return Number::new(term, a.ty);
        }
        // Two's complement: -a - 1, and 2^n - 1 - a.
        let top = match a.ty.signed {
            true => -BigInt::one(),
            false => range(a.ty).1,
        };
        Number {
            term: Term::int(top.clone()).subtract(&a.term),
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
                self.require(Undefined::Overflow, Term::truth(false));
            }
            if a.ty.signed && !fits && self.minds_overflow() {
                let condition = self.no_bit_overflow(op, a, b);
                self.require(Undefined::Overflow, condition);
            }
            let term = self.bit_binary(name, bits, &a.term, &b.term);
            let mut result = Number::new(term, a.ty);
            if fits {
                (result.low, result.high) = (low, high);
            }
            return result;
        }
        let term = match op {
            BinaryOp::Add => a.term.add(&b.term),
            BinaryOp::Subtract => a.term.subtract(&b.term),
            _ => a.term.multiply(&b.term),
        };
        if fits {
            return Number {
                term,
                ty: a.ty,
                low,
                high,
                truth: None,
            };
        }
        if a.ty.signed && self.minds_overflow() {
            return self.within(term, &low, &high, a.ty);
        }
        self.wrapped(term, low, high, a.ty)
    }

    /// A mathematical integer that must be in the range of its signed type.
    pub(super) fn within(
        &mut self,
        term: Term,
        low: &BigInt,
        high: &BigInt,
        ty: IntType,
    ) -> Number {
        let (least, greatest) = range(ty);
        let value = match low < &least && high > &greatest {
            true => self.named(term),
            false => term,
        };
        let mut condition = Term::truth(true);
        if low < &least {
            condition = Term::int(least.clone()).at_most(&value);
        }
        if high > &greatest {
            condition = condition.and(&value.at_most(&Term::int(greatest.clone())));
        }
        self.require(Undefined::Overflow, condition);
        Number {
            term: value,
            ty,
            low: low.max(&least).clone(),
            high: high.min(&greatest).clone(),
            truth: None,
        }
    }

    /// That an operation on signed bit-vectors does not overflow.
    fn no_bit_overflow(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Term {
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
        let narrow = self.bit_binary(name, bits, &a.term, &b.term);
        let (x, y) = (
            self.extended(&a.term, bits, wide, true),
            self.extended(&b.term, bits, wide, true),
        );
        let exact = self.bit_binary(name, wide, &x, &y);
        let again = self.extended(&narrow, bits, wide, true);
        exact.equals(&again)
    }
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
