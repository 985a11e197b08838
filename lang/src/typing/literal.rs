//! Literals.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Pow, Zero};

use crate::ast::{self, Literal};
use crate::diagnostic::Id;
use crate::hir::{Expr, ExprKind, FloatLiteral, RoundingMode, Type};
use crate::span::Span;

use super::Checker;

impl Checker<'_> {
    pub(super) fn literal(&mut self, literal: &Literal, span: Span) -> Expr {
        match literal {
            Literal::Bool(value) => Expr::new(ExprKind::Bool(*value), Type::Bool, span),
            Literal::Int(value) => {
                Expr::new(ExprKind::Int(BigInt::from(value.clone())), Type::Int, span)
            }
            Literal::Real(value) => Expr::new(ExprKind::Real(decimal(value)), Type::Real, span),
            Literal::BitVector { value, width } => {
                let mut result = Expr::new(
                    ExprKind::BitVec {
                        value: value.clone(),
                        width: *width,
                    },
                    Type::BitVec(*width),
                    span,
                );
                if value.bits() > u64::from(*width) {
                    self.error(
                        Id::BITVECTOR_TOO_LARGE,
                        format!("the number does not fit into {width} bits"),
                        span,
                        format!("{} bits are needed", value.bits()),
                    );
                    result.kind = ExprKind::Error;
                }
                result
            }
            Literal::Float(literal) => self.float(literal, span),
            Literal::String(text) => Expr::new(ExprKind::String(text.clone()), Type::String, span),
            Literal::RoundingMode(mode) => {
                let mode = match mode {
                    ast::RoundingMode::NearestTiesToEven => RoundingMode::NearestTiesToEven,
                    ast::RoundingMode::NearestTiesToAway => RoundingMode::NearestTiesToAway,
                    ast::RoundingMode::TowardPositive => RoundingMode::TowardPositive,
                    ast::RoundingMode::TowardNegative => RoundingMode::TowardNegative,
                    ast::RoundingMode::TowardZero => RoundingMode::TowardZero,
                };
                Expr::new(ExprKind::RoundingMode(mode), Type::RoundingMode, span)
            }
        }
    }

    fn float(&mut self, literal: &ast::FloatLiteral, span: Span) -> Expr {
        let (significand, exponent) = (literal.format.significand, literal.format.exponent);
        let ty = Type::Float {
            significand,
            exponent,
        };
        let value = match &literal.value {
            ast::FloatValue::NaN => FloatLiteral::NaN,
            ast::FloatValue::Infinity { negative } => FloatLiteral::Infinity {
                negative: *negative,
            },
            ast::FloatValue::Hex {
                mantissa,
                fraction_digits,
                exponent: power,
            } => {
                let power = 4 * (i64::from(*power) - i64::from(*fraction_digits));
                match float_bits(mantissa, power, significand, exponent) {
                    Ok(bits) => FloatLiteral::Bits(bits),
                    // The parser has refused such a literal already; trees can also be built by hand.
                    Err(reason) => {
                        let shown = self.show(&ty);
                        self.error(
                            Id::BAD_LITERAL,
                            format!("this number is not one of `{shown}`"),
                            span,
                            reason,
                        );
                        return Expr::new(ExprKind::Error, ty, span);
                    }
                }
            }
        };
        Expr::new(ExprKind::Float(value), ty, span)
    }
}

/// The exact value of a decimal literal.
fn decimal(value: &ast::Decimal) -> BigRational {
    let mantissa = BigInt::from(value.mantissa.clone());
    let power = BigInt::from(10).pow(value.exponent.unsigned_abs());
    if value.exponent >= 0 {
        BigRational::from_integer(mantissa * power)
    } else {
        BigRational::new(mantissa, power)
    }
}

/// The IEEE 754 bits of `mantissa * 2^power`, or why the format has no such number.
///
/// The format has `significand` bits (one of them hidden) and an exponent of `exponent` bits, as in SMT-LIB's
/// `(_ FloatingPoint exponent significand)`.
pub(crate) fn float_bits(
    mantissa: &BigUint,
    power: i64,
    significand: u32,
    exponent: u32,
) -> Result<BigUint, &'static str> {
    if significand < 2 || exponent < 2 {
        return Err("a float needs at least 2 bits of significand and 2 bits of exponent");
    }
    if exponent > 60 || significand > 1 << 20 {
        return Err("the format is too large");
    }
    if mantissa.is_zero() {
        return Ok(BigUint::zero());
    }
    // Make the mantissa odd, so that its length tells how many bits the number needs.
    let zeros = mantissa.trailing_zeros().unwrap_or(0);
    let mantissa = mantissa >> zeros;
    let power = power + i64::try_from(zeros).map_err(|_| "the literal is too long")?;
    let length = i64::try_from(mantissa.bits()).map_err(|_| "the literal is too long")?;
    let bias = (1_i64 << (exponent - 1)) - 1;
    let fraction_bits = i64::from(significand) - 1;
    let highest = power + length - 1;
    let lowest_normal = 1 - bias;
    if highest > bias {
        return Err("the number is too large");
    }
    if highest >= lowest_normal {
        // Normal: 1.fraction * 2^highest.
        if length > i64::from(significand) {
            return Err("the significand has too few bits for the exact value");
        }
        let shifted = mantissa << (i64::from(significand) - length).unsigned_abs();
        let hidden = BigUint::from(1_u8) << fraction_bits.unsigned_abs();
        let field = BigUint::from((highest + bias).unsigned_abs());
        return Ok((field << fraction_bits.unsigned_abs()) + (shifted - hidden));
    }
    // Subnormal: a multiple of the smallest positive number.
    let shift = power - (lowest_normal - fraction_bits);
    if shift < 0 {
        return Err("the number is too small for its exact value to be represented");
    }
    Ok(mantissa << shift.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(mantissa: u32, power: i64) -> Result<BigUint, &'static str> {
        float_bits(&BigUint::from(mantissa), power, 24, 8)
    }

    #[test]
    fn singles_have_the_bits_of_f32() {
        for value in [
            1.0_f32,
            1.5,
            0.1,
            3.0e38,
            f32::MIN_POSITIVE,
            1.0e-45,
            16_777_215.0,
        ] {
            let bits = value.to_bits();
            // The mantissa and power of two, taken from the bits in another way: by exact doubling.
            let (mut mantissa, mut power) = (f64::from(value), 0_i64);
            while mantissa.fract() != 0.0 {
                mantissa *= 2.0;
                power -= 1;
            }
            while mantissa > f64::from(u32::MAX) {
                mantissa /= 2.0;
                power += 1;
            }
            assert_eq!(
                single(mantissa as u32, power),
                Ok(BigUint::from(bits)),
                "{value}"
            );
        }
    }

    #[test]
    fn what_is_between_two_floats_is_refused() {
        assert!(single(0x1ff_ffff, 0).is_err(), "25 bits");
        assert!(single(1, 128).is_err(), "too large");
        assert!(single(1, -150).is_err(), "too small");
        assert_eq!(single(1, -149), Ok(BigUint::from(1_u8)));
        assert!(float_bits(&BigUint::zero(), 0, 2, 1).is_err());
        assert!(float_bits(&BigUint::zero(), 0, 1, 2).is_err());
        assert!(float_bits(&BigUint::zero(), 0, 2, 2).is_ok());
    }

    #[test]
    fn decimals_are_exact() {
        let value = decimal(&ast::Decimal {
            mantissa: BigUint::from(125_u8),
            exponent: -2,
        });
        assert_eq!(value, BigRational::new(5.into(), 4.into()));
        let value = decimal(&ast::Decimal {
            mantissa: BigUint::from(3_u8),
            exponent: 2,
        });
        assert_eq!(value, BigRational::from_integer(300.into()));
    }
}
