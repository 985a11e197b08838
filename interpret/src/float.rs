//! Floating point numbers of single and double precision, on the machine's own.
//!
//! Rust's `f32` and `f64` are IEEE 754's binary32 and binary64, and their operators round to nearest, ties to even.
//! Other formats and other roundings of results are refused.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive as _, Signed as _, ToPrimitive as _, Zero as _};
use ult_lang::hir::{RoundingMode, Type};

use crate::ops::signed;
use crate::value::Value;

/// An operator on floats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloatOp {
    /// Which.
    pub kind: FloatKind,
    /// The format of the (first) float.
    pub format: Format,
}

/// A format that is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// binary32
    Single,
    /// binary64
    Double,
}

impl Format {
    /// The format of a type.
    pub(crate) fn of(ty: &Type) -> Option<Format> {
        match ty {
            Type::Float {
                significand: 24,
                exponent: 8,
            } => Some(Format::Single),
            Type::Float {
                significand: 53,
                exponent: 11,
            } => Some(Format::Double),
            _ => None,
        }
    }
}

/// Operators of SMT-LIB's theory of floating point numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FloatKind {
    Neg,
    Abs,
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Rem,
    Min,
    Max,
    Eq,
    Lt,
    Le,
    Gt,
    Ge,
    IsNaN,
    IsInfinite,
    IsZero,
    IsNormal,
    IsSubnormal,
    IsNegative,
    IsPositive,
    /// Rounded as the mode says.
    RoundToIntegral(RoundingMode),
    /// From a float of the other format.
    Convert {
        from: Format,
    },
    /// From the bits.
    Reinterpret,
    /// From a bit-vector of this width.
    FromBits {
        signed: bool,
        width: u32,
    },
    /// From a real.
    FromReal,
    /// To a bit-vector of this width.
    ToBits {
        signed: bool,
        width: u32,
        mode: RoundingMode,
    },
    /// To a real; 0 for what is no number.
    ToReal,
}

/// The number with these bits; conversions from single to double are exact.
fn number(bits: u128, format: Format) -> f64 {
    match format {
        Format::Single => f64::from(single(bits)),
        Format::Double => f64::from_bits(u64::try_from(bits).unwrap_or_default()),
    }
}

fn single(bits: u128) -> f32 {
    f32::from_bits(u32::try_from(bits).unwrap_or_default())
}

/// A value of the format; there is one NaN.
fn of_double(value: f64) -> Value {
    let value = if value.is_nan() { f64::NAN } else { value };
    Value::Float(u128::from(value.to_bits()))
}

fn of_single(value: f32) -> Value {
    let value = if value.is_nan() { f32::NAN } else { value };
    Value::Float(u128::from(value.to_bits()))
}

/// A number rounded to a format.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounds to nearest, which is asked for"
)]
fn rounded(value: f64, format: Format) -> Value {
    match format {
        Format::Single => of_single(value as f32),
        Format::Double => of_double(value),
    }
}

/// The float with these bits, with the one NaN.
pub(crate) fn literal(bits: u128, format: Format) -> Value {
    match format {
        Format::Single => of_single(single(bits)),
        Format::Double => of_double(number(bits, format)),
    }
}

/// NaN or an infinity.
pub(crate) fn special(value: f64, format: Format) -> Value {
    rounded(value, format)
}

/// The number as people write it.
pub(crate) fn shown(bits: u128, format: Format) -> String {
    match format {
        Format::Single => format!("{:?}", single(bits)),
        Format::Double => format!("{:?}", number(bits, format)),
    }
}

/// Applies an operator; `None` if the operands do not fit it.
pub(crate) fn apply(op: FloatOp, args: &[Value]) -> Option<Value> {
    use FloatKind as K;
    let format = op.format;
    let bits = |number: usize| match args.get(number) {
        Some(Value::Float(bits)) => Some(*bits),
        _ => None,
    };
    // Sums, products, quotients and roots of two singles are right if computed in double precision and rounded once
    // more: 53 >= 2 * 24 + 2.
    let a = || bits(0).map(|bits| number(bits, format));
    let b = || bits(1).map(|bits| number(bits, format));
    let truth = |value: bool| Some(Value::Bool(value));
    match op.kind {
        K::Neg => Some(rounded(-a()?, format)),
        K::Abs => Some(rounded(a()?.abs(), format)),
        K::Add => Some(rounded(a()? + b()?, format)),
        K::Sub => Some(rounded(a()? - b()?, format)),
        K::Mul => Some(rounded(a()? * b()?, format)),
        K::Div => Some(rounded(a()? / b()?, format)),
        K::Sqrt => Some(rounded(a()?.sqrt(), format)),
        K::Rem => Some(rounded(remainder(a()?, b()?)?, format)),
        K::Min => Some(rounded(a()?.min(b()?), format)),
        K::Max => Some(rounded(a()?.max(b()?), format)),
        K::Eq => truth(a()? == b()?),
        K::Lt => truth(a()? < b()?),
        K::Le => truth(a()? <= b()?),
        K::Gt => truth(a()? > b()?),
        K::Ge => truth(a()? >= b()?),
        K::IsNaN => truth(a()?.is_nan()),
        K::IsInfinite => truth(a()?.is_infinite()),
        K::IsZero => truth(a()? == 0.0),
        K::IsNormal => truth(match format {
            Format::Single => single(bits(0)?).is_normal(),
            Format::Double => a()?.is_normal(),
        }),
        K::IsSubnormal => truth(match format {
            Format::Single => single(bits(0)?).is_subnormal(),
            Format::Double => a()?.is_subnormal(),
        }),
        K::IsNegative => truth(!a()?.is_nan() && a()?.is_sign_negative()),
        K::IsPositive => truth(!a()?.is_nan() && a()?.is_sign_positive()),
        K::RoundToIntegral(mode) => Some(rounded(integral(a()?, mode), format)),
        K::Convert { from } => Some(rounded(number(bits(0)?, from), format)),
        K::Reinterpret => match args {
            [Value::Bits(bits)] => Some(literal(*bits, format)),
            _ => None,
        },
        K::FromBits { signed: s, width } => match args {
            [Value::Bits(bits)] => Some(from_integer(*bits, s.then_some(width), format)),
            _ => None,
        },
        K::FromReal => match args {
            [Value::Real(real)] => from_real(real, format),
            _ => None,
        },
        K::ToBits {
            signed,
            width,
            mode,
        } => Some(Value::Bits(to_bits(a()?, signed, width, mode))),
        K::ToReal => Some(Value::Real(
            BigRational::from_float(a()?)
                .unwrap_or_else(BigRational::zero)
                .into(),
        )),
    }
}

/// IEEE 754's remainder: the quotient is rounded to the nearest integer, ties to even.
fn remainder(a: f64, b: f64) -> Option<f64> {
    if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
        return Some(f64::NAN);
    }
    if b.is_infinite() {
        return Some(a);
    }
    let (left, right) = (BigRational::from_float(a)?, BigRational::from_float(b)?);
    let quotient = nearest_even(&(&left / &right));
    let rest = left - right * BigRational::from_integer(quotient);
    if rest.is_zero() {
        return Some(0.0_f64.copysign(a));
    }
    // The remainder is a double again.
    rest.to_f64()
}

fn nearest_even(value: &BigRational) -> BigInt {
    let floor = value.floor().to_integer();
    let rest = value - BigRational::from_integer(floor.clone());
    let half = BigRational::new(1.into(), 2.into());
    let up = match rest.cmp(&half) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => floor.bit(0),
    };
    floor + BigInt::from(u8::from(up))
}

fn integral(value: f64, mode: RoundingMode) -> f64 {
    match mode {
        RoundingMode::NearestTiesToEven => value.round_ties_even(),
        RoundingMode::NearestTiesToAway => value.round(),
        RoundingMode::TowardPositive => value.ceil(),
        RoundingMode::TowardNegative => value.floor(),
        RoundingMode::TowardZero => value.trunc(),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "`as` rounds integers to the nearest float, ties to even"
)]
fn from_integer(bits: u128, signed_width: Option<u32>, format: Format) -> Value {
    match (signed_width, format) {
        (Some(width), Format::Single) => of_single(signed(bits, width) as f32),
        (Some(width), Format::Double) => of_double(signed(bits, width) as f64),
        (None, Format::Single) => of_single(bits as f32),
        (None, Format::Double) => of_double(bits as f64),
    }
}

/// The nearest float, if the real is one that both numbers of a quotient of integers represent exactly: then the
/// division of floats rounds once.
fn from_real(real: &BigRational, format: Format) -> Option<Value> {
    let exact = |value: &BigInt| {
        let float = value.to_f64()?;
        (BigInt::from_f64(float)? == *value).then_some(float)
    };
    let (top, bottom) = (exact(real.numer())?, exact(real.denom())?);
    match format {
        Format::Double => Some(of_double(top / bottom)),
        Format::Single => {
            let double = top / bottom;
            // Rounding twice is harmless if the first time is exact.
            (BigRational::from_float(double)? == *real).then(|| rounded(double, format))
        }
    }
}

/// The integer in so many bits; 0 where SMT-LIB leaves it open.
fn to_bits(value: f64, signed: bool, width: u32, mode: RoundingMode) -> u128 {
    let Some(exact) = BigInt::from_f64(integral(value, mode)) else {
        return 0;
    };
    let limit = BigInt::from(1) << if signed { width - 1 } else { width };
    let fits = match (exact.is_negative(), signed) {
        (true, false) => false,
        (true, true) => -&exact <= limit,
        (false, _) => exact < limit,
    };
    if !fits {
        return 0;
    }
    exact
        .to_i128()
        .map(i128::cast_unsigned)
        .or_else(|| exact.to_u128())
        .map_or(0, |bits| crate::ops::mask(bits, width))
}
