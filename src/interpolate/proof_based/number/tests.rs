use super::*;

use std::hash::{DefaultHasher, Hash, Hasher};

use num_traits::{One, Zero};
use proptest::prelude::*;

/// Integers around which something changes: the limits of 64 bits, halves of them, small ones.
fn integer() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -12..=12i64,
        2 => prop_oneof![
            Just(i64::MIN),
            Just(i64::MIN + 1),
            Just(i64::MAX),
            Just(i64::MAX - 1),
            Just(1 << 32),
            Just(-(1 << 31)),
            Just(1 << 62),
        ],
        2 => any::<i64>(),
    ]
}

/// Ratios of products of such integers: of every size up to twice 64 bits.
fn ratio() -> impl Strategy<Value = BigRational> {
    let part = || {
        prop_oneof![
            3 => integer().prop_map(BigInt::from),
            1 => (integer(), integer()).prop_map(|(a, b)| BigInt::from(a) * b),
            1 => Just(-BigInt::from(i64::MIN)),
        ]
    };
    (part(), part()).prop_map(|(n, d)| {
        let d = if d.is_zero() { BigInt::one() } else { d };
        BigRational::new(n, d)
    })
}

fn hash(number: &Rational) -> u64 {
    let mut hasher = DefaultHasher::new();
    number.hash(&mut hasher);
    hasher.finish()
}

/// The number is the expected one and has the one form that the expected one has.
fn same(number: &Rational, expected: &BigRational) -> Result<(), TestCaseError> {
    prop_assert_eq!(&number.to_big(), expected);
    prop_assert_eq!(number.numer(), expected.numer().clone());
    prop_assert_eq!(number.denom(), expected.denom().clone());
    let fits = expected.numer().to_i64().is_some() && expected.denom().to_i64().is_some();
    prop_assert_eq!(matches!(number.0, Small(..)), fits);
    let again = Rational::from(expected.clone());
    prop_assert_eq!(number, &again);
    prop_assert_eq!(hash(number), hash(&again));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_agrees_with_big_rationals(x in ratio(), y in ratio(), z in ratio()) {
        let (a, b, c) = (Rational::from(x.clone()), Rational::from(y.clone()), Rational::from(z.clone()));
        same(&a, &x)?;
        same(&(&a + &b), &(&x + &y))?;
        same(&(&a - &b), &(&x - &y))?;
        same(&(&a * &b), &(&x * &y))?;
        same(&-&a, &-&x)?;
        same(&a.abs(), &x.abs())?;
        same(&a.floor(), &x.floor())?;
        same(&a.ceil(), &x.ceil())?;
        if !y.is_zero() {
            same(&(&a / &b), &(&x / &y))?;
            same(&b.recip(), &y.recip())?;
        }
        let mut sum = a.clone();
        sum.add_product(&b, &c);
        same(&sum, &(&x + &y * &z))?;
        let mut steps = a.clone();
        steps += &b;
        steps -= &c;
        steps *= &a;
        same(&steps, &((&x + &y - &z) * &x))?;
    }

    #[test]
    fn order_and_signs_agree_with_big_rationals(x in ratio(), y in ratio()) {
        let (a, b) = (Rational::from(x.clone()), Rational::from(y.clone()));
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.is_zero(), x.is_zero());
        prop_assert_eq!(a.is_one(), x.is_one());
        prop_assert_eq!(a.is_positive(), x.is_positive());
        prop_assert_eq!(a.is_negative(), x.is_negative());
        prop_assert_eq!(a.is_integer(), x.is_integer());
        prop_assert_eq!(a.to_string(), x.to_string());
        let distance = (&a - a.round()).abs();
        prop_assert!(distance <= Rational::new(1, 2));
        prop_assert!(a.round().is_integer());
    }

    #[test]
    fn divisors_are_greatest_and_multiples_least(x in ratio(), y in ratio()) {
        let (a, b) = (Rational::from(x), Rational::from(y));
        let divisor = a.gcd(&b);
        prop_assert_eq!(divisor.is_zero(), a.is_zero() && b.is_zero());
        if divisor.is_zero() {
            return Ok(());
        }
        same(&divisor, &divisor.to_big().reduced())?;
        let (p, q) = (&a / &divisor, &b / &divisor);
        prop_assert!(divisor.is_positive() && p.is_integer() && q.is_integer());
        // Greatest: the quotients have no common divisor left.
        prop_assert!(p.numer().gcd(&q.numer()).is_one());
        if !a.is_zero() && !b.is_zero() {
            let multiple = a.lcm(&b);
            let (p, q) = (&multiple / &a, &multiple / &b);
            prop_assert!(multiple.is_positive() && p.is_integer() && q.is_integer());
            prop_assert!(p.numer().gcd(&q.numer()).is_one());
        }
        prop_assert_eq!(Rational::gcd_of([&a, &b]), divisor);
    }

    #[test]
    fn infinitesimals_are_ordered_below_every_positive_rational(a in ratio(), b in ratio(), d in integer(), e in integer(), f in integer()) {
        let x = Delta::new(a.clone().into(), d.into());
        let y = Delta::new(b.clone().into(), e.into());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b).then(d.cmp(&e)));
        prop_assert_eq!((&x - &y).is_negative(), x < y);
        prop_assert_eq!(-&(&x - &y), &y - &x);
        let mut sum = x.clone();
        sum.add_scaled(&Rational::from(f), &y);
        prop_assert_eq!(sum, &x + &y.scaled(&Rational::from(f)));
        let floor = x.floor();
        prop_assert!(floor.is_integer());
        prop_assert!(Delta::from(floor.clone()) <= x && x < Delta::from(floor + Rational::ONE));
    }
}

#[test]
fn small_numbers_take_two_words() {
    assert_eq!(std::mem::size_of::<Rational>(), 16);
}

#[test]
fn the_asymmetry_of_machine_integers_does_not_show() {
    let least = Rational::from(i64::MIN);
    let negated = -&least;
    assert!(matches!(negated.0, Big(_)));
    assert_eq!(-&negated, least);
    assert_eq!(&least * Rational::from(-1), negated);
    assert_eq!(&least / Rational::from(-1), negated);
    assert_eq!(least.abs(), negated);
    assert_eq!(least.recip().to_string(), "-1/9223372036854775808");
    assert_eq!(least.recip().recip(), least);
    assert_eq!(least.gcd(&Rational::ZERO), negated);
    assert_eq!(&least - &least, Rational::ZERO);
    assert_eq!((&least - Rational::ONE) + Rational::ONE, least);
}

#[test]
fn strict_bounds_lie_just_beside_their_numbers() {
    let three = Rational::from(3);
    assert!(Delta::below(three.clone()) < Delta::from(three.clone()));
    assert!(Delta::above(three.clone()) > Delta::from(three.clone()));
    assert!(Delta::above(three.clone()) < Delta::from(Rational::new(3_000_001, 1_000_000)));
    assert!(!Delta::above(three).is_integer());
}
