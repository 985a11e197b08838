//! Against the hardware, and against the definitions where the hardware has no such operation.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};
use proptest::prelude::*;

use super::{Float, Format, Mode};

fn single() -> Format {
    Format::new(8, 24).unwrap()
}

fn double() -> Format {
    Format::new(11, 53).unwrap()
}

fn f32_of(value: f32) -> Float {
    Float::from_bits(single(), &value.to_bits().into())
}

fn f64_of(value: f64) -> Float {
    Float::from_bits(double(), &value.to_bits().into())
}

/// Any bits, and often those where something happens: small integers, near powers of two, zeros,
/// infinities, numbers without hidden bit.
fn doubles() -> impl Strategy<Value = f64> {
    let special = prop::sample::select(vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        0.1,
        1e300,
        -1e300,
        1e-300,
        9007199254740993.0,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        f64::EPSILON,
        5e-324,
        -5e-324,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ]);
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        special,
        (-1000i32..1000).prop_map(|n| f64::from(n) / 8.0),
        (any::<f64>(), -3i64..4).prop_map(|(x, n)| f64::from_bits(
            ((x.to_bits() >> 40 << 40) as i64).wrapping_add(n) as u64
        )),
    ]
}

fn singles() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        doubles().prop_map(|x| x as f32),
    ]
}

fn modes() -> impl Strategy<Value = Mode> {
    prop::sample::select(Mode::ALL.to_vec())
}

fn same64(ours: Float, theirs: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(&ours, &f64_of(theirs), "{} and {:e}", ours, theirs);
    Ok(())
}

fn same32(ours: Float, theirs: f32) -> Result<(), TestCaseError> {
    prop_assert_eq!(&ours, &f32_of(theirs), "{} and {:e}", ours, theirs);
    Ok(())
}

/// An integer as a fraction.
fn whole(value: impl Into<BigInt>) -> BigRational {
    BigRational::from_integer(value.into())
}

/// The neighbour in the order of numbers.
fn next_up(value: &Float) -> Float {
    let one = BigUint::one();
    let format = value.format();
    match (value.is_zero(), value.is_negative()) {
        (true, _) => Float::from_bits(format, &one),
        (_, false) => Float::from_bits(format, &(value.bits() + one)),
        (_, true) => Float::from_bits(format, &(value.bits() - one)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arithmetic_is_that_of_the_hardware(a in doubles(), b in doubles(), c in doubles()) {
        let (x, y, z) = (f64_of(a), f64_of(b), f64_of(c));
        let mode = Mode::NearestEven;
        same64(x.add(mode, &y), a + b)?;
        same64(x.sub(mode, &y), a - b)?;
        same64(x.mul(mode, &y), a * b)?;
        same64(x.div(mode, &y), a / b)?;
        same64(x.sqrt(mode), a.sqrt())?;
        same64(x.fma(mode, &y, &z), a.mul_add(b, c))?;
        same64(x.neg(), -a)?;
        same64(x.abs(), a.abs())?;
        prop_assert_eq!(x.compare(&y), a.partial_cmp(&b));
        if let Some(least) = x.minimum(&y) {
            same64(least, a.min(b))?;
        }
        if let Some(greatest) = x.maximum(&y) {
            same64(greatest, a.max(b))?;
        }
    }

    #[test]
    fn so_it_is_in_single_precision(a in singles(), b in singles(), c in singles()) {
        let (x, y, z) = (f32_of(a), f32_of(b), f32_of(c));
        let mode = Mode::NearestEven;
        same32(x.add(mode, &y), a + b)?;
        same32(x.sub(mode, &y), a - b)?;
        same32(x.mul(mode, &y), a * b)?;
        same32(x.div(mode, &y), a / b)?;
        same32(x.sqrt(mode), a.sqrt())?;
        same32(x.fma(mode, &y, &z), a.mul_add(b, c))?;
    }

    #[test]
    fn conversions_are_those_of_the_hardware(
        a in doubles(), b in singles(), n in any::<i64>(), m in any::<u64>(), small in any::<i32>()
    ) {
        let mode = Mode::NearestEven;
        same32(f64_of(a).convert(mode, single()), a as f32)?;
        same64(f32_of(b).convert(mode, double()), f64::from(b))?;
        same64(Float::from_integer(&n.into(), mode, double()), n as f64)?;
        same32(Float::from_integer(&n.into(), mode, single()), n as f32)?;
        same64(Float::from_integer(&m.into(), mode, double()), m as f64)?;
        same32(Float::from_integer(&small.into(), mode, single()), small as f32)?;
        prop_assert_eq!(f64_of(a).to_rational(), BigRational::from_float(a));
        if a.abs() < 1e18 {
            let integer = |mode| f64_of(a).to_integer(mode);
            prop_assert_eq!(integer(Mode::TowardZero), Some((a as i64).into()));
            prop_assert_eq!(integer(Mode::TowardNegative), Some((a.floor() as i64).into()));
            prop_assert_eq!(integer(Mode::TowardPositive), Some((a.ceil() as i64).into()));
            prop_assert_eq!(integer(Mode::NearestAway), Some((a.round() as i64).into()));
            let even = a.round_ties_even() as i64;
            prop_assert_eq!(integer(Mode::NearestEven), Some(even.into()));
        }
    }

    #[test]
    fn rounding_to_integers_is_that_of_the_hardware(a in doubles()) {
        let x = f64_of(a);
        same64(x.round_to_integral(Mode::NearestEven), a.round_ties_even())?;
        same64(x.round_to_integral(Mode::NearestAway), a.round())?;
        same64(x.round_to_integral(Mode::TowardPositive), a.ceil())?;
        same64(x.round_to_integral(Mode::TowardNegative), a.floor())?;
        same64(x.round_to_integral(Mode::TowardZero), a.trunc())?;
    }

    #[test]
    fn a_fraction_lies_between_its_roundings(
        numerator in any::<i128>(), denominator in 1u64.., e in 2u32..9, s in 2u32..30, mode in modes()
    ) {
        let format = Format::new(e, s).unwrap();
        let value = BigRational::new(numerator.into(), denominator.into());
        let down = Float::from_rational(&value, Mode::TowardNegative, format);
        let up = Float::from_rational(&value, Mode::TowardPositive, format);
        let chosen = Float::from_rational(&value, mode, format);
        prop_assert!(chosen == down || chosen == up);
        if let Some(down) = down.to_rational() {
            prop_assert!(down <= value);
        }
        if let Some(up) = up.to_rational() {
            prop_assert!(up >= value);
        }
        if down.compare(&up) != Some(Ordering::Equal) {
            prop_assert_eq!(next_up(&down).compare(&up), Some(Ordering::Equal));
            let nearest = Float::from_rational(&value, Mode::NearestEven, format);
            if let (Some(low), Some(high)) = (down.to_rational(), up.to_rational()) {
                let middle = (low + high) / whole(2);
                match value.cmp(&middle) {
                    Ordering::Less => prop_assert_eq!(&nearest, &down),
                    Ordering::Greater => prop_assert_eq!(&nearest, &up),
                    Ordering::Equal => prop_assert!(!nearest.bits().bit(0)),
                }
            }
        }
    }

    #[test]
    fn remainders_are_what_the_standard_says(a in singles(), b in singles()) {
        let (x, y) = (f32_of(a), f32_of(b));
        let rest = x.rem(&y);
        match (x.to_rational(), y.to_rational()) {
            (Some(a), Some(b)) if !b.is_zero() => {
                let quotient = &a / &b;
                // To the nearest integer, of two to the even one.
                let below = quotient.floor();
                let n = match (&quotient - &below).cmp(&BigRational::new(1.into(), 2.into())) {
                    Ordering::Less => below,
                    Ordering::Greater => below + whole(1),
                    Ordering::Equal => (quotient / whole(2)).round() * whole(2),
                };
                prop_assert_eq!(rest.to_rational(), Some(&a - n * b));
                if rest.is_zero() {
                    prop_assert_eq!(rest.is_negative(), x.is_negative());
                }
            }
            (Some(_), _) if y.is_infinite() => prop_assert_eq!(rest, x),
            _ => prop_assert!(rest.is_nan()),
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn decimals_are_as_short_as_possible(a in doubles(), b in singles()) {
        for (text, theirs) in [
            (f64_of(a).decimal(), format!("{a:e}")),
            (f32_of(b).decimal(), format!("{b:e}")),
        ] {
            if !theirs.contains('e') {
                prop_assert_eq!(text.to_lowercase(), theirs.to_lowercase());
                continue;
            }
            let digits = |text: &str| {
                let text = text.split('e').next().unwrap_or_default().replace(['.', '-'], "");
                text.trim_matches('0').len()
            };
            prop_assert_eq!(digits(&text), digits(&theirs), "{} and {}", text, theirs);
        }
        prop_assert_eq!(f64_of(a).decimal().parse::<f64>().map(f64_of), Ok(f64_of(a)));
        prop_assert_eq!(f32_of(b).decimal().parse::<f32>().map(f32_of), Ok(f32_of(b)));
    }

    #[test]
    fn square_roots_are_rounded_correctly(a in singles(), mode in modes()) {
        let root = f32_of(a).sqrt(mode);
        if let (Some(root), true) = (root.to_rational(), a > 0.0) {
            let square = &root * &root;
            let value = BigRational::from_float(a).unwrap();
            match mode {
                Mode::TowardPositive => prop_assert!(square >= value),
                Mode::TowardNegative | Mode::TowardZero => prop_assert!(square <= value),
                Mode::NearestEven | Mode::NearestAway => {
                    prop_assert_eq!(f32_of(a).sqrt(Mode::NearestEven), f32_of(a.sqrt()));
                }
            }
        }
    }
}

#[test]
fn a_zero_sum_has_the_sign_that_the_mode_says() {
    let one = f64_of(1.0);
    for mode in Mode::ALL {
        let zero = one.sub(mode, &one);
        assert!(zero.is_zero());
        assert_eq!(zero.is_negative(), mode == Mode::TowardNegative, "{mode:?}");
        let product = one.fma(mode, &one, &one.neg());
        assert_eq!(product, zero);
    }
    let minus = f64_of(-0.0);
    assert_eq!(minus.add(Mode::NearestEven, &minus), minus);
}

#[test]
fn what_is_too_large_overflows_as_the_mode_says() {
    let huge = f32_of(f32::MAX);
    for (mode, up, down) in [
        (Mode::NearestEven, f32::INFINITY, f32::NEG_INFINITY),
        (Mode::NearestAway, f32::INFINITY, f32::NEG_INFINITY),
        (Mode::TowardPositive, f32::INFINITY, f32::MIN),
        (Mode::TowardNegative, f32::MAX, f32::NEG_INFINITY),
        (Mode::TowardZero, f32::MAX, f32::MIN),
    ] {
        assert_eq!(huge.add(mode, &huge), f32_of(up), "{mode:?}");
        assert_eq!(huge.neg().sub(mode, &huge), f32_of(down), "{mode:?}");
    }
}

#[test]
fn the_minimum_of_different_zeros_is_left_open() {
    let (plus, minus) = (f64_of(0.0), f64_of(-0.0));
    assert_eq!(plus.minimum(&minus), None);
    assert_eq!(minus.maximum(&plus), None);
    assert_eq!(plus.minimum(&plus), Some(plus.clone()));
    assert_eq!(plus.maximum(&f64_of(f64::NAN)), Some(plus));
}

#[test]
fn people_read_them_as_c_writes_them() {
    for (value, text) in [
        (0.1, "0.1"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (1e10, "1e10"),
        (123456.0, "123456.0"),
        (0.001, "0.001"),
        (1.5e-7, "1.5e-7"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
        (f64::NAN, "nan"),
        (f64::MAX, "1.7976931348623157e308"),
        (5e-324, "5e-324"),
        (-2.25, "-2.25"),
    ] {
        assert_eq!(f64_of(value).to_string(), text);
    }
    assert_eq!(f32_of(0.1).to_string(), "0.1f");
    assert_eq!(f32_of(f32::INFINITY).to_string(), "inf");
    // x87's and binary128's third.
    let third = BigRational::new(1.into(), 3.into());
    let extended = Float::from_rational(&third, Mode::NearestEven, Format::new(15, 64).unwrap());
    assert_eq!(extended.to_string(), "0.33333333333333333334L");
    let tiny = Float::from_bits(Format::new(15, 113).unwrap(), &BigUint::one());
    assert_eq!(tiny.to_string(), "6e-4966Q");
    // Too long to be told in decimal.
    let long = Float::from_bits(Format::new(18, 20).unwrap(), &BigUint::one());
    assert_eq!(long.to_string(), "0x1p-131089");
}

#[test]
fn formats_without_values_are_refused() {
    assert_eq!(Format::new(1, 10), None);
    assert_eq!(Format::new(8, 1), None);
    assert_eq!(Format::new(40, 10), None);
    assert!(f64_of(-3.5).to_rational().is_some_and(|r| r.is_negative()));
}
