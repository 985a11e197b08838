//! Arithmetic and comparisons.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero as _;

use super::round::{round, round_quotient, round_root, shifted};
use super::{Class, Exact, Float, Mode};

impl Exact {
    fn times(&self, other: &Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            magnitude: &self.magnitude * &other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The sum; `None` if it is zero.
    fn plus(&self, other: &Exact) -> Option<Exact> {
        let exponent = self.exponent.min(other.exponent);
        let sum = self.integer(exponent) + other.integer(exponent);
        (!sum.is_zero()).then(|| Exact {
            negative: sum.sign() == Sign::Minus,
            magnitude: sum.into_parts().1,
            exponent,
        })
    }

    /// As a multiple of `2^exponent`, which must not be above its own exponent.
    fn integer(&self, exponent: i64) -> BigInt {
        let sign = match self.negative {
            true => Sign::Minus,
            false => Sign::Plus,
        };
        let magnitude = &self.magnitude << (self.exponent - exponent).unsigned_abs();
        BigInt::from_biguint(sign, magnitude)
    }
}

impl Float {
    /// The same with the other sign; NaN stays what it is.
    pub fn neg(&self) -> Float {
        match self.is_nan() {
            true => self.clone(),
            false => Float::with_sign(self.format, !self.is_negative(), self.magnitude_bits()),
        }
    }

    /// The same without its sign.
    pub fn abs(&self) -> Float {
        match self.is_negative() {
            true => self.neg(),
            false => self.clone(),
        }
    }

    /// `self + other`
    pub fn add(&self, mode: Mode, other: &Float) -> Float {
        let format = self.format;
        match (self.class(), other.class()) {
            (Class::Nan, _) | (_, Class::Nan) => Float::nan(format),
            (Class::Infinity { negative: a }, Class::Infinity { negative: b }) if a != b => {
                Float::nan(format)
            }
            (Class::Infinity { .. }, _) => self.clone(),
            (_, Class::Infinity { .. }) => other.clone(),
            (Class::Zero { negative: a }, Class::Zero { negative: b }) if a != b => {
                Float::zero(format, mode == Mode::TowardNegative)
            }
            (_, Class::Zero { .. }) => self.clone(),
            (Class::Zero { .. }, _) => other.clone(),
            (Class::Number(a), Class::Number(b)) => match a.plus(&b) {
                Some(sum) => round(&sum, mode, format),
                None => Float::zero(format, mode == Mode::TowardNegative),
            },
        }
    }

    /// `self - other`
    pub fn sub(&self, mode: Mode, other: &Float) -> Float {
        self.add(mode, &other.neg())
    }

    /// `self * other`
    pub fn mul(&self, mode: Mode, other: &Float) -> Float {
        let format = self.format;
        let negative = self.is_negative() != other.is_negative();
        match (self.class(), other.class()) {
            (Class::Nan, _) | (_, Class::Nan) => Float::nan(format),
            (Class::Infinity { .. }, Class::Zero { .. })
            | (Class::Zero { .. }, Class::Infinity { .. }) => Float::nan(format),
            (Class::Infinity { .. }, _) | (_, Class::Infinity { .. }) => {
                Float::infinity(format, negative)
            }
            (Class::Zero { .. }, _) | (_, Class::Zero { .. }) => Float::zero(format, negative),
            (Class::Number(a), Class::Number(b)) => round(&a.times(&b), mode, format),
        }
    }

    /// `self / other`
    pub fn div(&self, mode: Mode, other: &Float) -> Float {
        let format = self.format;
        let negative = self.is_negative() != other.is_negative();
        match (self.class(), other.class()) {
            (Class::Nan, _) | (_, Class::Nan) => Float::nan(format),
            (Class::Infinity { .. }, Class::Infinity { .. })
            | (Class::Zero { .. }, Class::Zero { .. }) => Float::nan(format),
            (Class::Infinity { .. }, _) | (_, Class::Zero { .. }) => {
                Float::infinity(format, negative)
            }
            (Class::Zero { .. }, _) | (_, Class::Infinity { .. }) => Float::zero(format, negative),
            (Class::Number(a), Class::Number(b)) => round_quotient(
                negative,
                &a.magnitude,
                &b.magnitude,
                a.exponent - b.exponent,
                mode,
                format,
            ),
        }
    }

    /// `self * factor + summand`, rounded once.
    pub fn fma(&self, mode: Mode, factor: &Float, summand: &Float) -> Float {
        let format = self.format;
        let (Class::Number(a), Class::Number(b)) = (self.class(), factor.class()) else {
            // Without rounding: NaN, an infinity or a zero.
            return self.mul(mode, factor).add(mode, summand);
        };
        let product = a.times(&b);
        match summand.class() {
            Class::Nan | Class::Infinity { .. } => summand.clone(),
            Class::Zero { .. } => round(&product, mode, format),
            Class::Number(c) => match product.plus(&c) {
                Some(sum) => round(&sum, mode, format),
                None => Float::zero(format, mode == Mode::TowardNegative),
            },
        }
    }

    /// The square root.
    pub fn sqrt(&self, mode: Mode) -> Float {
        match self.class() {
            Class::Nan | Class::Zero { .. } | Class::Infinity { negative: false } => self.clone(),
            Class::Infinity { negative: true } => Float::nan(self.format),
            Class::Number(number) if number.negative => Float::nan(self.format),
            Class::Number(number) => round_root(&number, mode, self.format),
        }
    }

    /// `self - n * other` for the integer `n` nearest to the quotient, of two the even one.
    pub fn rem(&self, other: &Float) -> Float {
        let format = self.format;
        match (self.class(), other.class()) {
            (Class::Nan | Class::Infinity { .. }, _) | (_, Class::Nan | Class::Zero { .. }) => {
                Float::nan(format)
            }
            (Class::Zero { .. }, _) | (_, Class::Infinity { .. }) => self.clone(),
            (Class::Number(a), Class::Number(b)) => {
                let exponent = a.exponent.min(b.exponent);
                let divisor = &b.magnitude << (b.exponent - exponent).unsigned_abs();
                // Modulo twice the divisor: that keeps whether the quotient is odd.
                let twice: BigUint = &divisor << 1u32;
                let shift = BigUint::from((a.exponent - exponent).unsigned_abs());
                let power = BigUint::from(2u32).modpow(&shift, &twice);
                let rest = (&a.magnitude * power) % &twice;
                let (odd, rest) = match rest >= divisor {
                    true => (true, rest - &divisor),
                    false => (false, rest),
                };
                let doubled: BigUint = &rest << 1u32;
                let (negative, magnitude) = match doubled.cmp(&divisor) {
                    Ordering::Less => (a.negative, rest),
                    Ordering::Equal if !odd => (a.negative, rest),
                    _ => (!a.negative, divisor - rest),
                };
                if magnitude.is_zero() {
                    return Float::zero(format, a.negative);
                }
                let exact = Exact {
                    negative,
                    magnitude,
                    exponent,
                };
                // Exact: smaller than the divisor, and a multiple of the smaller step.
                round(&exact, Mode::NearestEven, format)
            }
        }
    }

    /// The nearest integer by a mode, in the same format.
    pub fn round_to_integral(&self, mode: Mode) -> Float {
        match self.class() {
            Class::Number(number) if number.exponent < 0 => {
                let by = number.exponent.unsigned_abs();
                let magnitude = shifted(&number.magnitude, by, number.negative, mode);
                let exact = Exact {
                    negative: number.negative,
                    magnitude,
                    exponent: 0,
                };
                // Exact but for formats whose greatest number is no integer.
                round(&exact, mode, self.format)
            }
            _ => self.clone(),
        }
    }

    /// By value: zeros are equal, NaN compares with nothing.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        // Read as integers with signs, the bits are in the order of the numbers.
        let ordinal = |float: &Float| {
            let sign = match float.is_negative() {
                true => Sign::Minus,
                false => Sign::Plus,
            };
            BigInt::from_biguint(sign, float.magnitude_bits())
        };
        Some(ordinal(self).cmp(&ordinal(other)))
    }

    /// The smaller one; of a number and NaN the number. `None` for zeros of different signs, of
    /// which IEEE 754 and SMT-LIB allow both.
    pub fn minimum(&self, other: &Float) -> Option<Float> {
        self.extreme(other, Ordering::Less)
    }

    /// The greater one, as [`Float::minimum`].
    pub fn maximum(&self, other: &Float) -> Option<Float> {
        self.extreme(other, Ordering::Greater)
    }

    fn extreme(&self, other: &Float, wanted: Ordering) -> Option<Float> {
        if self.is_zero() && other.is_zero() && self != other {
            return None;
        }
        Some(match self.compare(other) {
            None if self.is_nan() => other.clone(),
            Some(ordering) if ordering != wanted => other.clone(),
            _ => self.clone(),
        })
    }

    /// The same number in another format.
    pub fn convert(&self, mode: Mode, format: super::Format) -> Float {
        match self.class() {
            Class::Nan => Float::nan(format),
            Class::Infinity { negative } => Float::infinity(format, negative),
            Class::Zero { negative } => Float::zero(format, negative),
            Class::Number(number) => round(&number, mode, format),
        }
    }
}
