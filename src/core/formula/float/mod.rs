//! Floating-point numbers of any width, exactly as IEEE 754 and SMT-LIB's theory `FloatingPoint`
//! define them.
//!
//! Every operation is one exact computation on numbers `m * 2^e` and then one rounding step
//! ([`round`]). That is slow beside hardware and easy to believe. What SMT-LIB leaves open (the
//! minimum of zeros of different signs, an integer for what is none) has no value here.

mod apply;
mod arithmetic;
mod convert;
mod decimal;
mod round;

#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use num_traits::{One as _, Zero as _};

pub(super) use apply::apply;
pub use round::Mode;

/// Formats with exponents of more bits have no values here: their numbers have millions of
/// digits.
pub const MAX_EXPONENT_BITS: u32 = 18;

/// A floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    exponent: u32,
    significand: u32,
}

/// A floating-point number. As in SMT-LIB there is one NaN, which equals itself; the zeros of both
/// signs differ. The order of the Rust type is that of the bits; by value, there is
/// [`Float::compare`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float {
    format: Format,
    /// Sign, exponent, significand without its hidden bit, as IEEE 754 lays them out.
    bits: BigUint,
}

/// What a floating-point number stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Class {
    Nan,
    Infinity { negative: bool },
    Zero { negative: bool },
    Number(Exact),
}

/// A number that is not zero: `magnitude * 2^exponent`, negated if `negative`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Exact {
    negative: bool,
    magnitude: BigUint,
    exponent: i64,
}

impl Format {
    /// The format with these widths, the hidden bit of the significand included; `None` if there
    /// are no values of it here.
    pub fn new(exponent: u32, significand: u32) -> Option<Format> {
        let fits = (2..=MAX_EXPONENT_BITS).contains(&exponent) && significand >= 2;
        (fits && significand < u32::MAX - exponent).then_some(Format {
            exponent,
            significand,
        })
    }

    /// Bits of the exponent.
    pub fn exponent(self) -> u32 {
        self.exponent
    }

    /// Bits of the significand, the hidden one included.
    pub fn significand(self) -> u32 {
        self.significand
    }

    /// Bits of a whole number.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// The greatest exponent of a number, seen as `1.xxx * 2^e`.
    fn greatest(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The least exponent of a number with a hidden bit.
    fn least(self) -> i64 {
        1 - self.greatest()
    }

    /// The exponent of the last bit of the smallest numbers.
    fn least_step(self) -> i64 {
        self.least() - i64::from(self.significand) + 1
    }

    /// The bits of an infinity without its sign: all of the exponent's.
    fn infinite_bits(self) -> BigUint {
        ((BigUint::one() << self.exponent) - 1u32) << (self.significand - 1)
    }
}

impl Float {
    /// The number with these bits; those above the format's width are ignored.
    pub fn from_bits(format: Format, bits: &BigUint) -> Float {
        let bits = bits % (BigUint::one() << format.width());
        let magnitude = &bits % (BigUint::one() << (format.width() - 1));
        if magnitude > format.infinite_bits() {
            return Float::nan(format);
        }
        Float { format, bits }
    }

    /// Not a number.
    pub fn nan(format: Format) -> Float {
        let quiet = BigUint::one() << (format.significand - 2);
        Float {
            format,
            bits: format.infinite_bits() | quiet,
        }
    }

    /// An infinity.
    pub fn infinity(format: Format, negative: bool) -> Float {
        Float::with_sign(format, negative, format.infinite_bits())
    }

    /// A zero.
    pub fn zero(format: Format, negative: bool) -> Float {
        Float::with_sign(format, negative, BigUint::zero())
    }

    fn with_sign(format: Format, negative: bool, magnitude: BigUint) -> Float {
        let sign = BigUint::from(u8::from(negative)) << (format.width() - 1);
        Float {
            format,
            bits: sign | magnitude,
        }
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The bits, as IEEE 754 lays them out; of NaN, those of a quiet one.
    pub fn bits(&self) -> &BigUint {
        &self.bits
    }

    /// Whether it is NaN.
    pub fn is_nan(&self) -> bool {
        self.magnitude_bits() > self.format.infinite_bits()
    }

    /// Whether it is an infinity.
    pub fn is_infinite(&self) -> bool {
        self.magnitude_bits() == self.format.infinite_bits()
    }

    /// Whether it is a zero.
    pub fn is_zero(&self) -> bool {
        self.magnitude_bits().is_zero()
    }

    /// Whether the bit of the sign is set. That of NaN never is.
    pub fn is_negative(&self) -> bool {
        self.bits.bit(u64::from(self.format.width()) - 1)
    }

    /// Whether it is a number with a hidden bit.
    fn is_normal(&self) -> bool {
        let magnitude = self.magnitude_bits();
        magnitude < self.format.infinite_bits()
            && magnitude.bits() >= u64::from(self.format.significand)
    }

    fn magnitude_bits(&self) -> BigUint {
        &self.bits % (BigUint::one() << (self.format.width() - 1))
    }

    fn class(&self) -> Class {
        let negative = self.is_negative();
        let magnitude = self.magnitude_bits();
        if magnitude.is_zero() {
            return Class::Zero { negative };
        }
        match magnitude.cmp(&self.format.infinite_bits()) {
            std::cmp::Ordering::Greater => return Class::Nan,
            std::cmp::Ordering::Equal => return Class::Infinity { negative },
            std::cmp::Ordering::Less => {}
        }
        let stored = self.format.significand - 1;
        // Below the infinity, so within the 18 bits of an exponent.
        let exponent = (&magnitude >> stored)
            .iter_u32_digits()
            .next()
            .map_or(0, i64::from);
        let fraction = magnitude % (BigUint::one() << stored);
        let (magnitude, above) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | (BigUint::one() << stored), exponent - 1),
        };
        Class::Number(Exact {
            negative,
            magnitude,
            exponent: self.format.least_step() + above,
        })
    }
}
