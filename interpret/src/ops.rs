//! Operators on numbers and bit-vectors.

use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use crate::code::{Binary, BitsOp, Unary};
use crate::value::Value;

/// The widest bit-vectors.
pub(crate) const WIDEST: u32 = 128;

/// The lowest `width` bits.
pub(crate) fn mask(bits: u128, width: u32) -> u128 {
    match width {
        0 => 0,
        WIDEST.. => bits,
        _ => bits & ((1 << width) - 1),
    }
}

/// The signed number that a bit-vector of a width is.
pub(crate) fn signed(bits: u128, width: u32) -> i128 {
    match width {
        0 => 0,
        WIDEST.. => bits.cast_signed(),
        _ => {
            let unused = WIDEST - width;
            (bits << unused).cast_signed() >> unused
        }
    }
}

/// Applies an operator; `None` if the operand does not fit it.
pub(crate) fn unary(op: Unary, value: &Value) -> Option<Value> {
    Some(match (op, value) {
        (Unary::Neg, Value::Int(a)) => match a.checked_neg() {
            Some(value) => Value::Int(value),
            None => Value::int(-BigInt::from(*a)),
        },
        (Unary::Neg, Value::Big(a)) => Value::int(-(**a).clone()),
        (Unary::Neg, Value::Real(a)) => Value::Real(Rc::new(-(**a).clone())),
        (Unary::Abs, a) => Value::int(a.as_big()?.abs()),
        (Unary::Extract { low, width }, Value::Bits(a)) => {
            let moved = if low >= WIDEST { 0 } else { a >> low };
            Value::Bits(mask(moved, width))
        }
        (Unary::SignExtend { from, to }, Value::Bits(a)) => {
            Value::Bits(mask(signed(*a, from).cast_unsigned(), to))
        }
        (Unary::BitNot(width), Value::Bits(a)) => Value::Bits(mask(!a, width)),
        (Unary::BitNeg(width), Value::Bits(a)) => Value::Bits(mask(a.wrapping_neg(), width)),
        (Unary::RotateLeft { by: 0, .. }, Value::Bits(a)) => Value::Bits(*a),
        (Unary::RotateLeft { by, width }, Value::Bits(a)) => {
            Value::Bits(mask(a << by | a >> (width - by), width))
        }
        (Unary::ToReal, a) => Value::Real(Rc::new(BigRational::from_integer(a.as_big()?))),
        (Unary::ToInt, Value::Real(a)) => Value::int(a.floor().to_integer()),
        (Unary::BitsToInt(None), Value::Bits(a)) => match i128::try_from(*a) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::int(BigInt::from(*a)),
        },
        (Unary::BitsToInt(Some(width)), Value::Bits(a)) => Value::Int(signed(*a, width)),
        (Unary::IntToBits(width), Value::Int(a)) => Value::Bits(mask(a.cast_unsigned(), width)),
        (Unary::IntToBits(width), Value::Big(a)) => {
            let modulus = BigInt::from(1) << width;
            Value::Bits(a.mod_floor(&modulus).to_u128()?)
        }
        _ => return None,
    })
}

/// Applies an operator (but for `==` and `!=`); `None` if the operands do not fit it.
pub(crate) fn binary(op: Binary, left: &Value, right: &Value) -> Option<Value> {
    match (op, left, right) {
        (Binary::Bits(op, width), Value::Bits(a), Value::Bits(b)) => Some(bits(op, width, *a, *b)),
        (Binary::Concat(width), Value::Bits(a), Value::Bits(b)) => {
            let high = if width >= WIDEST { 0 } else { a << width };
            Some(Value::Bits(high | b))
        }
        (_, Value::Int(a), Value::Int(b)) => small(op, *a, *b),
        (_, Value::Real(a), Value::Real(b)) => real(op, a, b),
        _ => big(op, &left.as_big()?, &right.as_big()?),
    }
}

fn small(op: Binary, a: i128, b: i128) -> Option<Value> {
    let value = match op {
        Binary::Lt => return Some(Value::Bool(a < b)),
        Binary::Le => return Some(Value::Bool(a <= b)),
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div if b != 0 => a.checked_div_euclid(b),
        Binary::Mod if b != 0 => a.checked_rem_euclid(b),
        // Any value, but always the same.
        Binary::Div | Binary::Mod => Some(0),
        _ => return None,
    };
    match value {
        Some(value) => Some(Value::Int(value)),
        None => big(op, &BigInt::from(a), &BigInt::from(b)),
    }
}

fn big(op: Binary, a: &BigInt, b: &BigInt) -> Option<Value> {
    Some(match op {
        Binary::Lt => Value::Bool(a < b),
        Binary::Le => Value::Bool(a <= b),
        Binary::Add => Value::int(a + b),
        Binary::Sub => Value::int(a - b),
        Binary::Mul => Value::int(a * b),
        Binary::Div | Binary::Mod if b.is_zero() => Value::Int(0),
        Binary::Div => Value::int(euclidean(a, b).0),
        Binary::Mod => Value::int(euclidean(a, b).1),
        _ => return None,
    })
}

/// Quotient and remainder, the latter never negative.
fn euclidean(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = a.div_mod_floor(b);
    if rest.is_negative() {
        (quotient + 1, rest - b)
    } else {
        (quotient, rest)
    }
}

fn real(op: Binary, a: &BigRational, b: &BigRational) -> Option<Value> {
    let value = match op {
        Binary::Lt => return Some(Value::Bool(a < b)),
        Binary::Le => return Some(Value::Bool(a <= b)),
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::RealDiv if b.is_zero() => BigRational::zero(),
        Binary::RealDiv => a / b,
        _ => return None,
    };
    Some(Value::Real(Rc::new(value)))
}

fn bits(op: BitsOp, width: u32, a: u128, b: u128) -> Value {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let result = match op {
        BitsOp::And => a & b,
        BitsOp::Or => a | b,
        BitsOp::Xor => a ^ b,
        BitsOp::Nand => !(a & b),
        BitsOp::Nor => !(a | b),
        BitsOp::Xnor => !(a ^ b),
        BitsOp::Add => a.wrapping_add(b),
        BitsOp::Sub => a.wrapping_sub(b),
        BitsOp::Mul => a.wrapping_mul(b),
        BitsOp::Udiv => a.checked_div(b).unwrap_or(u128::MAX),
        BitsOp::Urem => a.checked_rem(b).unwrap_or(a),
        BitsOp::Sdiv if sb == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        BitsOp::Sdiv => sa.wrapping_div(sb).cast_unsigned(),
        BitsOp::Srem | BitsOp::Smod if sb == 0 => a,
        BitsOp::Srem => sa.wrapping_rem(sb).cast_unsigned(),
        BitsOp::Smod => {
            let rest = sa.wrapping_rem(sb);
            let other_side = rest != 0 && (rest < 0) != (sb < 0);
            (if other_side {
                rest.wrapping_add(sb)
            } else {
                rest
            })
            .cast_unsigned()
        }
        BitsOp::Shl => shift(width, b).map_or(0, |by| a << by),
        BitsOp::Lshr => shift(width, b).map_or(0, |by| a >> by),
        BitsOp::Ashr => match shift(width, b) {
            Some(by) => (sa >> by).cast_unsigned(),
            None if sa < 0 => u128::MAX,
            None => 0,
        },
        BitsOp::Ult => return Value::Bool(a < b),
        BitsOp::Ule => return Value::Bool(a <= b),
        BitsOp::Slt => return Value::Bool(sa < sb),
        BitsOp::Sle => return Value::Bool(sa <= sb),
        BitsOp::Comp => return Value::Bits(u128::from(a == b)),
    };
    Value::Bits(mask(result, width))
}

/// The distance of a shift, if anything is left.
fn shift(width: u32, by: u128) -> Option<u32> {
    u32::try_from(by).ok().filter(|by| *by < width)
}
