//! Rationals with an infinitesimal part.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use super::Rational;

/// A rational plus a rational multiple of a positive infinitesimal, ordered lexicographically.
///
/// `x < c` is `x <= c - infinitesimal` (Dutertre and de Moura, CAV 2006, section 4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta {
    // The derived order compares the fields in this sequence.
    /// The rational part.
    pub real: Rational,
    /// The factor of the infinitesimal.
    pub delta: Rational,
}

impl Delta {
    /// Zero.
    pub const ZERO: Delta = Delta {
        real: Rational::ZERO,
        delta: Rational::ZERO,
    };

    /// `real + delta * infinitesimal`.
    pub fn new(real: Rational, delta: Rational) -> Delta {
        Delta { real, delta }
    }

    /// The number just below: the bound of `x < real`.
    pub fn below(real: Rational) -> Delta {
        Delta::new(real, Rational::from(-1))
    }

    /// The number just above: the bound of `x > real`.
    pub fn above(real: Rational) -> Delta {
        Delta::new(real, Rational::ONE)
    }

    /// Whether both parts are zero.
    pub fn is_zero(&self) -> bool {
        self.real.is_zero() && self.delta.is_zero()
    }

    /// Whether this is less than zero.
    pub fn is_negative(&self) -> bool {
        match self.real.sign() {
            Ordering::Equal => self.delta.is_negative(),
            sign => sign == Ordering::Less,
        }
    }

    /// Whether this is an integer without an infinitesimal part.
    pub fn is_integer(&self) -> bool {
        self.delta.is_zero() && self.real.is_integer()
    }

    /// The greatest integer that is not greater: of a number just below an integer, the one before.
    pub fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if self.delta.is_negative() && floor == self.real {
            return floor - Rational::ONE;
        }
        floor
    }

    /// Adds `factor * other`.
    pub fn add_scaled(&mut self, factor: &Rational, other: &Delta) {
        self.real.add_product(factor, &other.real);
        if !other.delta.is_zero() {
            self.delta.add_product(factor, &other.delta);
        }
    }

    /// The product with a rational.
    pub fn scaled(&self, factor: &Rational) -> Delta {
        Delta::new(&self.real * factor, &self.delta * factor)
    }
}

impl From<Rational> for Delta {
    fn from(real: Rational) -> Delta {
        Delta::new(real, Rational::ZERO)
    }
}

impl Add for &Delta {
    type Output = Delta;

    fn add(self, other: &Delta) -> Delta {
        Delta::new(&self.real + &other.real, &self.delta + &other.delta)
    }
}

impl Sub for &Delta {
    type Output = Delta;

    fn sub(self, other: &Delta) -> Delta {
        Delta::new(&self.real - &other.real, &self.delta - &other.delta)
    }
}

impl Neg for &Delta {
    type Output = Delta;

    fn neg(self) -> Delta {
        Delta::new(-&self.real, -&self.delta)
    }
}

impl AddAssign<&Delta> for Delta {
    fn add_assign(&mut self, other: &Delta) {
        self.real += &other.real;
        self.delta += &other.delta;
    }
}

impl SubAssign<&Delta> for Delta {
    fn sub_assign(&mut self, other: &Delta) {
        self.real -= &other.real;
        self.delta -= &other.delta;
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.real)?;
        if !self.delta.is_zero() {
            write!(f, " + {} eps", self.delta)?;
        }
        Ok(())
    }
}
