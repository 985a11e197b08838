//! Exact rational numbers that are fast while they are small, and rationals with an infinitesimal
//! part for strict bounds.
//!
//! Almost every number in a simplex tableau of a program is a small integer. [`Rational`] keeps
//! those in two machine words and computes with 128-bit intermediate results; only a result that
//! does not fit goes to the heap. The form is canonical (reduced, and on the heap only if it must
//! be), so equality and hashing are structural.

mod delta;

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::num::NonZeroI64;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

pub(super) use delta::Delta;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

/// An exact rational number.
///
/// Division by zero panics, as it does for machine integers; callers divide by coefficients that
/// they have tested.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Numerator and positive denominator without a common factor.
    Small(i64, NonZeroI64),
    /// Reduced; numerator or denominator does not fit into 64 bits.
    Big(Box<BigRational>),
}

use Repr::{Big, Small};

const ONE: NonZeroI64 = match NonZeroI64::new(1) {
    Some(one) => one,
    None => unreachable!(),
};

impl Rational {
    /// The number 0.
    pub const ZERO: Rational = Rational(Small(0, ONE));
    /// The number 1.
    pub const ONE: Rational = Rational(Small(1, ONE));

    /// The quotient of two integers; panics if `denominator` is zero.
    pub fn new(numerator: i64, denominator: i64) -> Rational {
        Rational::from(numerator) / Rational::from(denominator)
    }

    /// From a numerator and a positive denominator without a common factor.
    fn from_reduced(numerator: i128, denominator: i128) -> Rational {
        debug_assert!(denominator > 0);
        if let (Ok(n), Ok(d)) = (i64::try_from(numerator), i64::try_from(denominator))
            && let Some(d) = NonZeroI64::new(d)
        {
            return Rational(Small(n, d));
        }
        Rational(Big(Box::new(BigRational::new_raw(
            numerator.into(),
            denominator.into(),
        ))))
    }

    /// From a reduced ratio: on the heap only if it does not fit.
    fn from_big(ratio: BigRational) -> Rational {
        if let (Some(n), Some(d)) = (ratio.numer().to_i64(), ratio.denom().to_i64())
            && let Some(d) = NonZeroI64::new(d)
        {
            return Rational(Small(n, d));
        }
        Rational(Big(Box::new(ratio)))
    }

    /// The same number as a ratio of big integers.
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Small(n, d) => BigRational::new_raw((*n).into(), d.get().into()),
            Big(ratio) => BigRational::clone(ratio),
        }
    }

    /// The numerator of the reduced form; it has the number's sign.
    pub fn numer(&self) -> BigInt {
        match &self.0 {
            Small(n, _) => (*n).into(),
            Big(ratio) => ratio.numer().clone(),
        }
    }

    /// The denominator of the reduced form, positive.
    pub fn denom(&self) -> BigInt {
        match &self.0 {
            Small(_, d) => d.get().into(),
            Big(ratio) => ratio.denom().clone(),
        }
    }

    /// How the number compares to zero.
    pub fn sign(&self) -> Ordering {
        match &self.0 {
            Small(n, _) => n.cmp(&0),
            Big(ratio) if ratio.is_negative() => Ordering::Less,
            // Zero fits, so it is never big.
            Big(_) => Ordering::Greater,
        }
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Whether this is 1.
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1, ONE))
    }

    /// Whether this is greater than 0.
    pub fn is_positive(&self) -> bool {
        self.sign() == Ordering::Greater
    }

    /// Whether this is less than 0.
    pub fn is_negative(&self) -> bool {
        self.sign() == Ordering::Less
    }

    /// Whether the denominator is 1.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, d) => *d == ONE,
            Big(ratio) => ratio.is_integer(),
        }
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Small(_, ONE) => self.clone(),
            Small(n, d) => Rational::from(Integer::div_floor(n, &d.get())),
            Big(ratio) => Rational::from_big(ratio.floor()),
        }
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Rational {
        match &self.0 {
            Small(_, ONE) => self.clone(),
            Small(n, d) => Rational::from(Integer::div_ceil(n, &d.get())),
            Big(ratio) => Rational::from_big(ratio.ceil()),
        }
    }

    /// A nearest integer; of two, the greater.
    pub fn round(&self) -> Rational {
        if self.is_integer() {
            return self.clone();
        }
        (self + Rational::new(1, 2)).floor()
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// `1 / self`; panics if this is zero.
    pub fn recip(&self) -> Rational {
        &Rational::ONE / self
    }

    /// The greatest rational of which both numbers are integer multiples, not negative: the usual
    /// greatest common divisor if both are integers. Zero only for two zeros.
    ///
    /// A sum divided by the divisor of all its coefficients has coprime integer coefficients.
    pub fn gcd(&self, other: &Rational) -> Rational {
        if let (Small(a, ONE), Small(b, ONE)) = (&self.0, &other.0) {
            let divisor = gcd(a.unsigned_abs(), b.unsigned_abs());
            return Rational::from_reduced(divisor.into(), 1);
        }
        let numerator = self.numer().gcd(&other.numer());
        let denominator = self.denom().lcm(&other.denom());
        // Reduced forms: a prime of the numerators' divisor divides both numerators, hence no
        // denominator. (With a zero, whose denominator is 1, the same holds.)
        Rational::from_big(BigRational::new_raw(numerator, denominator))
    }

    /// The least positive rational that is an integer multiple of both numbers; zero if one is
    /// zero. The usual least common multiple if both are integers.
    pub fn lcm(&self, other: &Rational) -> Rational {
        if self.is_zero() || other.is_zero() {
            return Rational::ZERO;
        }
        (self * other).abs() / self.gcd(other)
    }

    /// The divisor ([`Rational::gcd`]) of several numbers; zero if there are none but zeros.
    pub fn gcd_of<'a>(numbers: impl IntoIterator<Item = &'a Rational>) -> Rational {
        let mut divisor = Rational::ZERO;
        for number in numbers {
            divisor = divisor.gcd(number);
        }
        divisor
    }

    /// Adds `a * b`.
    pub fn add_product(&mut self, a: &Rational, b: &Rational) {
        if let (Small(n, ONE), Small(a, ONE), Small(b, ONE)) = (&mut self.0, &a.0, &b.0)
            && let Some(product) = a.checked_mul(*b)
            && let Some(sum) = n.checked_add(product)
        {
            *n = sum;
            return;
        }
        *self = &*self + &(a * b);
    }

    /// How many machine words the larger of numerator and denominator takes: a measure for the
    /// cost of computing with this number.
    pub fn words(&self) -> u64 {
        match &self.0 {
            Small(..) => 1,
            Big(ratio) => ratio.numer().bits().max(ratio.denom().bits()).div_ceil(64),
        }
    }
}

/// Euclid's algorithm; `gcd(a, 0)` is `a`.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 1 || b == 1 {
        return 1;
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor of any number and a positive one that fits.
fn gcd_wide(a: i128, b: i64) -> i64 {
    let b = b.unsigned_abs();
    let rest = (a.unsigned_abs() % u128::from(b)) as u64;
    // Divides `b`, so it fits again.
    gcd(b, rest) as i64
}

fn add(a: &Rational, b: &Rational) -> Rational {
    let (Small(an, ad), Small(bn, bd)) = (&a.0, &b.0) else {
        return Rational::from_big(a.to_big() + b.to_big());
    };
    if *ad == ONE
        && *bd == ONE
        && let Some(sum) = an.checked_add(*bn)
    {
        return Rational(Small(sum, ONE));
    }
    add_fractions(*an, ad.get(), *bn, bd.get())
}

/// The products below stay less than 2^126, so nothing overflows (Knuth, The Art of Computer
/// Programming, volume 2, section 4.5.1).
fn add_fractions(an: i64, ad: i64, bn: i64, bd: i64) -> Rational {
    let wide = |a: i64, b: i64| i128::from(a) * i128::from(b);
    let common = gcd(ad.unsigned_abs(), bd.unsigned_abs()) as i64;
    if common == 1 {
        return Rational::from_reduced(wide(an, bd) + wide(bn, ad), wide(ad, bd));
    }
    let sum = wide(an, bd / common) + wide(bn, ad / common);
    let factor = gcd_wide(sum, common);
    Rational::from_reduced(sum / i128::from(factor), wide(ad / common, bd / factor))
}

fn sub(a: &Rational, b: &Rational) -> Rational {
    if let (Small(an, ONE), Small(bn, ONE)) = (&a.0, &b.0)
        && let Some(difference) = an.checked_sub(*bn)
    {
        return Rational(Small(difference, ONE));
    }
    a + &-b
}

fn mul(a: &Rational, b: &Rational) -> Rational {
    let (Small(an, ad), Small(bn, bd)) = (&a.0, &b.0) else {
        return Rational::from_big(a.to_big() * b.to_big());
    };
    if *ad == ONE && *bd == ONE {
        return Rational::from_reduced(i128::from(*an) * i128::from(*bn), 1);
    }
    mul_fractions((*an).into(), ad.get().into(), (*bn).into(), bd.get().into())
}

/// The arguments' absolute values are at most 2^63; denominators are positive.
fn mul_fractions(an: i128, ad: i128, bn: i128, bd: i128) -> Rational {
    let common = |n: i128, d: i128| i128::from(gcd(n.unsigned_abs() as u64, d as u64));
    let (across, along) = (common(an, bd), common(bn, ad));
    Rational::from_reduced((an / across) * (bn / along), (ad / along) * (bd / across))
}

fn div(a: &Rational, b: &Rational) -> Rational {
    assert!(!b.is_zero(), "division by zero");
    let (Small(an, ad), Small(bn, bd)) = (&a.0, &b.0) else {
        return Rational::from_big(a.to_big() / b.to_big());
    };
    match (*bn, *bd) {
        (1, ONE) => a.clone(),
        (-1, ONE) => -a,
        (n, d) => {
            let d = i128::from(d.get()) * i128::from(n.signum());
            mul_fractions((*an).into(), ad.get().into(), d, i128::from(n).abs())
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match &self.0 {
            Small(n, d) => Rational::from_reduced(-i128::from(*n), d.get().into()),
            // The negative of a number that does not fit may fit: i64 is not symmetric.
            Big(ratio) => Rational::from_big(-BigRational::clone(ratio)),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

macro_rules! operator {
    ($Op:ident, $op:ident, $OpAssign:ident, $op_assign:ident) => {
        impl $Op<&Rational> for &Rational {
            type Output = Rational;

            fn $op(self, other: &Rational) -> Rational {
                $op(self, other)
            }
        }

        impl $Op<Rational> for &Rational {
            type Output = Rational;

            fn $op(self, other: Rational) -> Rational {
                $op(self, &other)
            }
        }

        impl $Op<&Rational> for Rational {
            type Output = Rational;

            fn $op(self, other: &Rational) -> Rational {
                $op(&self, other)
            }
        }

        impl $Op<Rational> for Rational {
            type Output = Rational;

            fn $op(self, other: Rational) -> Rational {
                $op(&self, &other)
            }
        }

        impl $OpAssign<&Rational> for Rational {
            fn $op_assign(&mut self, other: &Rational) {
                *self = $op(self, other);
            }
        }

        impl $OpAssign<Rational> for Rational {
            fn $op_assign(&mut self, other: Rational) {
                *self = $op(self, &other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);
operator!(Mul, mul, MulAssign, mul_assign);
operator!(Div, div, DivAssign, div_assign);

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(numbers: I) -> Rational {
        let mut sum = Rational::ZERO;
        for number in numbers {
            sum += number;
        }
        sum
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        let (Small(an, ad), Small(bn, bd)) = (&self.0, &other.0) else {
            return self.to_big().cmp(&other.to_big());
        };
        if ad == bd {
            return an.cmp(bn);
        }
        let left = i128::from(*an) * i128::from(bd.get());
        let right = i128::from(*bn) * i128::from(ad.get());
        left.cmp(&right)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl From<i64> for Rational {
    fn from(number: i64) -> Rational {
        Rational(Small(number, ONE))
    }
}

impl From<BigInt> for Rational {
    fn from(number: BigInt) -> Rational {
        Rational::from_big(BigRational::from_integer(number))
    }
}

impl From<BigRational> for Rational {
    /// The ratio need not be reduced; its denominator must not be zero.
    fn from(ratio: BigRational) -> Rational {
        Rational::from_big(ratio.reduced())
    }
}

impl From<&Rational> for BigRational {
    fn from(number: &Rational) -> BigRational {
        number.to_big()
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n, ONE) => write!(f, "{n}"),
            Small(n, d) => write!(f, "{n}/{d}"),
            Big(ratio) => write!(f, "{ratio}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
