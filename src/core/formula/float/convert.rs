//! Between floating-point numbers and exact ones.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use super::round::{round, round_quotient, shifted};
use super::{Class, Exact, Float, Format, Mode};

impl Float {
    /// The number for an integer; for 0 the positive zero.
    pub fn from_integer(value: &BigInt, mode: Mode, format: Format) -> Float {
        let exact = Exact {
            negative: value.is_negative(),
            magnitude: value.magnitude().clone(),
            exponent: 0,
        };
        round(&exact, mode, format)
    }

    /// The number for a fraction; for 0 the positive zero.
    pub fn from_rational(value: &BigRational, mode: Mode, format: Format) -> Float {
        if value.is_zero() {
            return Float::zero(format, false);
        }
        round_quotient(
            value.is_negative(),
            value.numer().magnitude(),
            value.denom().magnitude(),
            0,
            mode,
            format,
        )
    }

    /// The number as a fraction; `None` for infinities and NaN.
    pub fn to_rational(&self) -> Option<BigRational> {
        match self.class() {
            Class::Nan | Class::Infinity { .. } => None,
            Class::Zero { .. } => Some(BigRational::zero()),
            Class::Number(number) => {
                let sign = match number.negative {
                    true => Sign::Minus,
                    false => Sign::Plus,
                };
                let magnitude = BigInt::from_biguint(sign, number.magnitude);
                let power = BigInt::one() << number.exponent.unsigned_abs();
                Some(match number.exponent < 0 {
                    true => BigRational::new(magnitude, power),
                    false => BigRational::from_integer(magnitude * power),
                })
            }
        }
    }

    /// The number rounded to an integer; `None` for infinities and NaN.
    pub fn to_integer(&self, mode: Mode) -> Option<BigInt> {
        match self.class() {
            Class::Nan | Class::Infinity { .. } => None,
            Class::Zero { .. } => Some(BigInt::zero()),
            Class::Number(number) => {
                let by = number.exponent.unsigned_abs();
                let magnitude: BigUint = match number.exponent < 0 {
                    true => shifted(&number.magnitude, by, number.negative, mode),
                    false => number.magnitude << by,
                };
                let value = BigInt::from(magnitude);
                Some(if number.negative { -value } else { value })
            }
        }
    }
}
