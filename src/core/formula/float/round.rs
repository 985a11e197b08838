//! Rounding exact numbers to a format.

use num_bigint::BigUint;
use num_integer::Integer as _;
use num_traits::Zero as _;

use super::{Exact, Float, Format};

/// A rounding mode (IEEE 754-2008, 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// To the nearest; of two, to the even one.
    NearestEven,
    /// To the nearest; of two, to the one with the greater magnitude.
    NearestAway,
    /// Upwards.
    TowardPositive,
    /// Downwards.
    TowardNegative,
    /// Towards zero.
    TowardZero,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 5] = [
        Mode::NearestEven,
        Mode::NearestAway,
        Mode::TowardPositive,
        Mode::TowardNegative,
        Mode::TowardZero,
    ];

    /// The mode with a name of SMT-LIB, long or short.
    pub fn named(name: &str) -> Option<Mode> {
        Some(match name {
            "RNE" | "roundNearestTiesToEven" => Mode::NearestEven,
            "RNA" | "roundNearestTiesToAway" => Mode::NearestAway,
            "RTP" | "roundTowardPositive" => Mode::TowardPositive,
            "RTN" | "roundTowardNegative" => Mode::TowardNegative,
            "RTZ" | "roundTowardZero" => Mode::TowardZero,
            _ => return None,
        })
    }

    /// SMT-LIB's short name.
    pub fn name(self) -> &'static str {
        match self {
            Mode::NearestEven => "RNE",
            Mode::NearestAway => "RNA",
            Mode::TowardPositive => "RTP",
            Mode::TowardNegative => "RTN",
            Mode::TowardZero => "RTZ",
        }
    }

    /// Whether a magnitude between two steps becomes the greater one.
    fn up(self, negative: bool, odd: bool, rest: Rest) -> bool {
        match self {
            _ if rest == Rest::Nothing => false,
            Mode::NearestEven => rest == Rest::More || (rest == Rest::Half && odd),
            Mode::NearestAway => rest >= Rest::Half,
            Mode::TowardPositive => !negative,
            Mode::TowardNegative => negative,
            Mode::TowardZero => false,
        }
    }
}

/// What is beyond the last step, compared with half a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rest {
    Nothing,
    Less,
    Half,
    More,
}

/// `magnitude / 2^by`, rounded to an integer.
pub(super) fn shifted(magnitude: &BigUint, by: u64, negative: bool, mode: Mode) -> BigUint {
    if by == 0 {
        return magnitude.clone();
    }
    let bits = magnitude.bits();
    let (kept, rest) = if by > bits {
        let rest = match magnitude.is_zero() {
            true => Rest::Nothing,
            false => Rest::Less,
        };
        (BigUint::zero(), rest)
    } else {
        let half = magnitude.bit(by - 1);
        // The lowest bit that is set is below the half's.
        let more = magnitude.trailing_zeros().is_some_and(|z| z < by - 1);
        let rest = match (half, more) {
            (false, false) => Rest::Nothing,
            (false, true) => Rest::Less,
            (true, false) => Rest::Half,
            (true, true) => Rest::More,
        };
        (magnitude >> by, rest)
    };
    match mode.up(negative, kept.is_odd(), rest) {
        true => kept + 1u32,
        false => kept,
    }
}

/// The number of a format for an exact number.
pub(super) fn round(exact: &Exact, mode: Mode, format: Format) -> Float {
    let Exact {
        negative,
        ref magnitude,
        exponent,
    } = *exact;
    if magnitude.is_zero() {
        return Float::zero(format, negative);
    }
    // The number is at least 2^top and less than twice that.
    let top = exponent.saturating_add_unsigned(magnitude.bits() - 1);
    if top > format.greatest() {
        return overflow(negative, mode, format);
    }
    let step = top.max(format.least()) - i64::from(format.significand) + 1;
    let kept = match exponent.checked_sub(step) {
        Some(left @ 0..) => magnitude << left.unsigned_abs(),
        Some(right) => shifted(magnitude, right.unsigned_abs(), negative, mode),
        None => shifted(magnitude, u64::MAX, negative, mode),
    };
    // The hidden bit adds one to the exponent, and so does a carry out of the significand.
    let above = (step - format.least_step()).unsigned_abs();
    let bits = (BigUint::from(above) << (format.significand - 1)) + kept;
    if bits >= format.infinite_bits() {
        return overflow(negative, mode, format);
    }
    Float::with_sign(format, negative, bits)
}

/// What becomes of a number that is too large.
fn overflow(negative: bool, mode: Mode, format: Format) -> Float {
    let infinite = match mode {
        Mode::NearestEven | Mode::NearestAway => true,
        Mode::TowardPositive => !negative,
        Mode::TowardNegative => negative,
        Mode::TowardZero => false,
    };
    match infinite {
        true => Float::infinity(format, negative),
        false => Float::with_sign(format, negative, format.infinite_bits() - 1u32),
    }
}

/// The number of a format for a quotient of integers; the divisor is not zero.
pub(super) fn round_quotient(
    negative: bool,
    dividend: &BigUint,
    divisor: &BigUint,
    exponent: i64,
    mode: Mode,
    format: Format,
) -> Float {
    // Two bits more than the format has, and one that says whether there is a rest, are as good
    // as the exact quotient; numbers without a hidden bit have fewer.
    let wanted = divisor.bits() + u64::from(format.significand) + 3;
    let left = wanted.saturating_sub(dividend.bits());
    let (quotient, rest) = (dividend << left).div_rem(divisor);
    let sticky = BigUint::from(u8::from(!rest.is_zero()));
    let exact = Exact {
        negative,
        magnitude: (quotient << 1u32) | sticky,
        exponent: exponent.saturating_sub_unsigned(left + 1),
    };
    round(&exact, mode, format)
}

/// The number of a format for a square root.
pub(super) fn round_root(radicand: &Exact, mode: Mode, format: Format) -> Float {
    let wanted = 2 * (u64::from(format.significand) + 3);
    let mut left = wanted.saturating_sub(radicand.magnitude.bits());
    // The exponent must be even to be halved.
    if (radicand.exponent.saturating_sub_unsigned(left)).is_odd() {
        left += 1;
    }
    let scaled = &radicand.magnitude << left;
    let root = scaled.sqrt();
    let sticky = BigUint::from(u8::from(&root * &root != scaled));
    let exact = Exact {
        negative: false,
        magnitude: (root << 1u32) | sticky,
        exponent: (radicand.exponent.saturating_sub_unsigned(left)) / 2 - 1,
    };
    round(&exact, mode, format)
}
