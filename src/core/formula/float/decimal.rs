//! Floating-point numbers for people: the shortest decimal that is read back as the same number.

use std::fmt;

use num_bigint::BigUint;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use super::round::round_quotient;
use super::{Float, Mode};

/// Formats with longer exponents are written in hexadecimal, which is not rounded.
const LONGEST_EXPONENT: u32 = 15;

/// Numbers between these powers of ten are written without an exponent.
const PLAIN: std::ops::Range<i64> = -4..10;

impl Float {
    /// Without a suffix that says the format: `0.1`, `-2.0`, `1e30`, `inf`, `nan`.
    pub fn decimal(&self) -> String {
        let sign = if self.is_negative() { "-" } else { "" };
        let Some(value) = self.to_rational() else {
            return if self.is_nan() {
                "nan".into()
            } else {
                format!("{sign}inf")
            };
        };
        if value.is_zero() {
            return format!("{sign}0.0");
        }
        if self.format.exponent > LONGEST_EXPONENT {
            return self.hexadecimal();
        }
        let (digits, exponent) = self.shortest(&value.abs());
        format!("{sign}{}", written(&digits, exponent))
    }

    /// The digits `d1 d2 ... dn` and the exponent of `d1.d2...dn * 10^exponent`.
    fn shortest(&self, value: &BigRational) -> (String, i64) {
        let wanted = self.abs();
        let (numerator, denominator) = (value.numer().magnitude(), value.denom().magnitude());
        let exponent = magnitude(numerator, denominator);
        let mut length = 1;
        loop {
            // So that `length` digits stand before the point.
            let (up, down) = powers_of_ten(length - 1 - exponent);
            let (dividend, divisor) = (numerator * &up, denominator * &down);
            let (below, rest) = dividend.div_rem(&divisor);
            let above = &below + 1u32;
            let candidates = match rest * 2u32 > divisor {
                true => [above, below],
                false => [below, above],
            };
            for digits in candidates {
                let mode = Mode::NearestEven;
                let read = round_quotient(false, &(&digits * &down), &up, 0, mode, self.format);
                if read == wanted {
                    let text = digits.to_string();
                    // 9.99 may have become 10.0.
                    let carried = i64::from(text.len() as i64 > length);
                    let text = text.trim_end_matches('0');
                    return (text.to_owned(), exponent + carried);
                }
            }
            length += 1;
        }
    }

    /// C's notation for the exact value: `0x1.8p-3`.
    fn hexadecimal(&self) -> String {
        let super::Class::Number(number) = self.class() else {
            return self.decimal();
        };
        let sign = if number.negative { "-" } else { "" };
        let zeros = number.magnitude.trailing_zeros().unwrap_or(0);
        let odd: BigUint = number.magnitude >> zeros;
        let exponent = number.exponent.saturating_add_unsigned(zeros);
        format!("{sign}0x{}p{exponent}", odd.to_str_radix(16))
    }
}

/// The exponent of the greatest power of ten that is not above a positive fraction.
fn magnitude(numerator: &BigUint, denominator: &BigUint) -> i64 {
    let bits = |n: &BigUint| n.bits() as f64;
    let guess = (bits(numerator) - bits(denominator)) * std::f64::consts::LOG10_2;
    let above = |power: i64| {
        let (up, down) = powers_of_ten(power);
        down * numerator < up * denominator
    };
    let mut power = guess.floor() as i64;
    while above(power) {
        power -= 1;
    }
    while !above(power + 1) {
        power += 1;
    }
    power
}

/// Numerator and denominator of a power of ten.
fn powers_of_ten(exponent: i64) -> (BigUint, BigUint) {
    let power = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
    let power = num_traits::pow(BigUint::from(10u32), power);
    match exponent < 0 {
        true => (BigUint::one(), power),
        false => (power, BigUint::one()),
    }
}

fn written(digits: &str, exponent: i64) -> String {
    let length = digits.len() as i64;
    if !PLAIN.contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{first}{point}{rest}e{exponent}");
    }
    if exponent < 0 {
        let zeros = "0".repeat((-exponent - 1).unsigned_abs() as usize);
        return format!("0.{zeros}{digits}");
    }
    let whole = exponent + 1;
    if length <= whole {
        let zeros = "0".repeat((whole - length).unsigned_abs() as usize);
        return format!("{digits}{zeros}.0");
    }
    let (whole, fraction) = digits.split_at(whole.unsigned_abs() as usize);
    format!("{whole}.{fraction}")
}

impl fmt::Display for Float {
    /// As C writes it: with the suffix of the type that has the format, `f` for `float`, `L` for
    /// x86's `long double`, `Q` for `__float128`; none for `double`, and for formats that no type
    /// has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match (self.format.exponent, self.format.significand) {
            _ if self.is_nan() || self.is_infinite() => "",
            (8, 24) => "f",
            (15, 64) => "L",
            (15, 113) => "Q",
            _ => "",
        };
        write!(f, "{}{suffix}", self.decimal())
    }
}
