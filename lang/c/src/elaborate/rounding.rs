//! Rounding of exact numbers to floating types: to the nearest, ties to even.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::types::FloatType;

/// 2 to the power of `exponent`.
pub(super) fn power_of_two(exponent: i64) -> BigRational {
    let power = BigInt::one() << exponent.unsigned_abs();
    if exponent >= 0 {
        BigRational::from_integer(power)
    } else {
        BigRational::new_raw(BigInt::one(), power)
    }
}

/// The nearest value of the type; `None` if that is an infinity.
pub(super) fn round(value: &BigRational, float: FloatType) -> Option<BigRational> {
    if value.is_zero() {
        return Some(value.clone());
    }
    let (precision, exponent_bits) = float.format();
    let precision = i64::from(precision);
    let largest_exponent = (1i64 << (exponent_bits - 1)) - 1;
    let smallest_exponent = 1 - largest_exponent;
    let magnitude = value.abs();
    // floor(log2(magnitude)), from an estimate that is at most one too large.
    let mut exponent = magnitude.numer().bits() as i64 - magnitude.denom().bits() as i64;
    if power_of_two(exponent) > magnitude {
        exponent -= 1;
    }
    let unit = power_of_two(exponent.max(smallest_exponent) - (precision - 1));
    let scaled = &magnitude / &unit;
    let (quotient, rest) = scaled.numer().div_rem(scaled.denom());
    let twice: BigInt = rest * 2;
    let up = match twice.cmp(scaled.denom()) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient.is_odd(),
        std::cmp::Ordering::Greater => true,
    };
    let rounded = BigRational::from_integer(if up { quotient + 1 } else { quotient }) * unit;
    if rounded >= power_of_two(largest_exponent + 1) {
        return None;
    }
    Some(if value.is_negative() {
        -rounded
    } else {
        rounded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: f64) -> BigRational {
        BigRational::from_float(value).unwrap()
    }

    #[test]
    fn it_rounds_as_the_machine_does() {
        let tenth = BigRational::new(1.into(), 10.into());
        assert_eq!(round(&tenth, FloatType::Double), Some(exact(0.1)));
        assert_eq!(
            round(&tenth, FloatType::Single),
            Some(exact(f64::from(0.1f32)))
        );
        for value in [5e-324, 2.5e-320, 1.7e308, -3.25, 16_777_217.0, 1e-46] {
            let rounded = round(&exact(value), FloatType::Single);
            let machine = value as f32;
            if machine.is_infinite() {
                assert_eq!(rounded, None, "{value}");
            } else {
                assert_eq!(rounded, Some(exact(f64::from(machine))), "{value}");
            }
            assert_eq!(round(&exact(value), FloatType::Double), Some(exact(value)));
        }
        let huge = power_of_two(1024);
        assert_eq!(round(&huge, FloatType::Double), None);
        assert_eq!(round(&huge, FloatType::Extended), Some(huge));
    }
}
