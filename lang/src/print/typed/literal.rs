//! Numbers as literals.

use crate::ast::{
    BinaryOp, ChainLink, Decimal, Expr, ExprKind, FloatFormat, FloatLiteral, FloatValue, Literal,
    UnaryOp,
};
use crate::hir;
use crate::parse::MAX_EXPONENT;
use crate::span::Span;
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};

/// From so many zeros at its end on, a whole number has an exponent.
const MANY_ZEROS: usize = 20;

fn literal(literal: Literal) -> ExprKind {
    ExprKind::Literal(literal)
}

fn negative(kind: ExprKind) -> ExprKind {
    ExprKind::Unary {
        op: UnaryOp::Neg,
        operand: Expr::new(kind, Span::default()).into(),
    }
}

/// An integer; there are no negative literals, so it may be the negation of one.
pub(super) fn int(value: &BigInt) -> ExprKind {
    let digits = literal(Literal::Int(value.magnitude().clone()));
    match value.sign() {
        Sign::Minus => negative(digits),
        _ => digits,
    }
}

/// A real; if it is no decimal number, the quotient of two.
pub(super) fn real(value: &BigRational) -> ExprKind {
    let (numerator, denominator) = (value.numer().magnitude(), value.denom().magnitude());
    let absolute = match decimal(numerator, denominator) {
        Some(decimal) => literal(Literal::Real(decimal)),
        None => {
            let whole = |number| {
                Expr::new(
                    literal(Literal::Real(whole_decimal(number))),
                    Span::default(),
                )
            };
            ExprKind::Chain {
                first: whole(numerator).into(),
                rest: vec![ChainLink {
                    op: BinaryOp::Div,
                    op_span: Span::default(),
                    operand: whole(denominator),
                }],
            }
        }
    };
    match value.numer().sign() {
        Sign::Minus => negative(absolute),
        _ => absolute,
    }
}

fn whole_decimal(number: &BigUint) -> Decimal {
    let digits = number.to_string();
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    if zeros < MANY_ZEROS || number.is_zero() {
        return Decimal {
            mantissa: number * 10_u8,
            exponent: -1,
        };
    }
    let exponent = i32::try_from(zeros).map_or(MAX_EXPONENT, |zeros| zeros.min(MAX_EXPONENT));
    Decimal {
        mantissa: number / BigUint::from(10_u8).pow(exponent.unsigned_abs()),
        exponent,
    }
}

/// The quotient, in lowest terms, as a decimal number, if it is one.
fn decimal(numerator: &BigUint, denominator: &BigUint) -> Option<Decimal> {
    if denominator.is_one() {
        return Some(whole_decimal(numerator));
    }
    let twos = denominator.trailing_zeros().unwrap_or(0);
    let mut rest = denominator >> twos;
    let mut fives = 0_u64;
    while (&rest % 5_u8).is_zero() {
        rest /= 5_u8;
        fives += 1;
    }
    let digits = u32::try_from(twos.max(fives)).ok()?;
    let exponent = i32::try_from(digits).ok().filter(|e| *e <= MAX_EXPONENT)?;
    rest.is_one().then(|| Decimal {
        mantissa: numerator * BigUint::from(10_u8).pow(digits) / denominator,
        exponent: -exponent,
    })
}

/// A floating-point number of the type; `None` if the type is not that of one.
pub(super) fn float(value: &hir::FloatLiteral, ty: &hir::Type) -> Option<ExprKind> {
    let hir::Type::Float {
        significand,
        exponent,
    } = *ty
    else {
        return None;
    };
    let (is_negative, value) = match value {
        hir::FloatLiteral::NaN => (false, FloatValue::NaN),
        hir::FloatLiteral::Infinity { negative } => (
            false,
            FloatValue::Infinity {
                negative: *negative,
            },
        ),
        hir::FloatLiteral::Bits(bits) => hexadecimal(bits, significand, exponent)?,
    };
    let format = FloatFormat {
        significand,
        exponent,
    };
    let result = literal(Literal::Float(FloatLiteral { value, format }));
    Some(if is_negative {
        negative(result)
    } else {
        result
    })
}

/// IEEE 754 bits as a sign and a hexadecimal number; `None` if they are those of no finite number.
fn hexadecimal(bits: &BigUint, significand: u32, exponent: u32) -> Option<(bool, FloatValue)> {
    let fraction_bits = significand.checked_sub(1)?;
    if !(2..=60).contains(&exponent) || bits.bits() > u64::from(significand) + u64::from(exponent) {
        return None;
    }
    let is_negative = bits.bit(u64::from(fraction_bits) + u64::from(exponent));
    let one = BigUint::one();
    let hidden = &one << fraction_bits;
    let fraction = bits % &hidden;
    let field = u64::try_from((bits >> fraction_bits) % (&one << exponent)).ok()?;
    if field == (1 << exponent) - 1 {
        return None;
    }
    let bias = (1_i64 << (exponent - 1)) - 1;
    let lowest = 1 - bias - i64::from(fraction_bits);
    // The number is `mantissa * 2^power`.
    let (mantissa, power) = match i64::try_from(field).ok()? {
        0 => (fraction, lowest),
        field => (fraction + hidden, lowest + field - 1),
    };
    let Some(zeros) = mantissa.trailing_zeros() else {
        let zero = FloatValue::Hex {
            mantissa,
            fraction_digits: 0,
            exponent: 0,
        };
        return Some((is_negative, zero));
    };
    let power = power + i64::try_from(zeros).ok()?;
    let mantissa = (mantissa >> zeros) << power.rem_euclid(4).unsigned_abs();
    // Now `mantissa * 16^power`, and the last hexadecimal digit is not zero.
    let power = power.div_euclid(4);
    let digits = i64::try_from(mantissa.bits().div_ceil(4)).ok()?;
    let highest = power + digits - 1;
    let value = if (0..8).contains(&highest) {
        FloatValue::Hex {
            mantissa: mantissa << (4 * power.max(0)).unsigned_abs(),
            fraction_digits: u32::try_from((-power).max(0)).ok()?,
            exponent: 0,
        }
    } else {
        FloatValue::Hex {
            mantissa,
            fraction_digits: u32::try_from(digits - 1).ok()?,
            exponent: i32::try_from(highest)
                .ok()
                .filter(|e| e.abs() <= MAX_EXPONENT)?,
        }
    };
    Some((is_negative, value))
}
