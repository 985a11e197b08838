//! Sets of floating-point numbers: all between two, and perhaps NaN.
//!
//! Numbers are counted in their order: `-0.0` is -1, `0.0` is 0, the smallest positive number is 1,
//! and so on up to the infinity. Every operation of IEEE 754 that is monotone stays so when its
//! result is rounded, so bounds of results are results for bounds. Where a bound has no result
//! (`inf - inf`), everything is possible.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

use ult_core::formula::{Float, Format, Mode};

/// A set of numbers of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    format: Format,
    /// The least and greatest number; none if the first is above the second.
    pub low: i128,
    /// See `low`.
    pub high: i128,
    /// Whether NaN may be in it.
    pub nan: bool,
}

/// The place of a number in the order. It is not NaN.
fn place(number: &Float) -> i128 {
    let format = number.format();
    let negative = number.is_negative();
    let magnitude = number.abs().bits().to_i128().unwrap_or(i128::MAX);
    debug_assert!(format.width() <= Interval::WIDEST);
    if negative { -1 - magnitude } else { magnitude }
}

/// As the order has it by value: both zeros are 0.
fn value(place: i128) -> i128 {
    if place == -1 { 0 } else { place }
}

impl Interval {
    /// Wider formats have no intervals.
    pub(super) const WIDEST: u32 = 80;

    /// Everything; `None` for formats that are too wide.
    pub(super) fn all(format: Format) -> Option<Interval> {
        if format.width() > Interval::WIDEST {
            return None;
        }
        let greatest = place(&Float::infinity(format, false));
        Some(Interval {
            format,
            low: -1 - greatest,
            high: greatest,
            nan: true,
        })
    }

    fn everything(&self) -> Interval {
        let greatest = place(&Float::infinity(self.format, false));
        Interval {
            format: self.format,
            low: -1 - greatest,
            high: greatest,
            nan: true,
        }
    }

    /// Just one number.
    pub(super) fn point(number: &Float) -> Option<Interval> {
        let mut interval = Interval::all(number.format())?;
        if number.is_nan() {
            (interval.low, interval.high) = (0, -1);
        } else {
            let place = place(number);
            (interval.low, interval.high, interval.nan) = (place, place, false);
        }
        Some(interval)
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        !self.nan && self.has_no_numbers()
    }

    fn has_no_numbers(&self) -> bool {
        self.low > self.high
    }

    /// The only element.
    pub(super) fn as_point(&self) -> Option<Float> {
        match self.nan {
            true if self.has_no_numbers() => Some(Float::nan(self.format)),
            false if self.low == self.high => Some(self.at(self.low)),
            _ => None,
        }
    }

    /// The number at a place.
    pub(super) fn at(&self, place: i128) -> Float {
        let magnitude = if place < 0 { -1 - place } else { place };
        let bits = BigUint::from(magnitude.unsigned_abs());
        let number = Float::from_bits(self.format, &bits);
        if place < 0 { number.neg() } else { number }
    }

    /// What is in both.
    pub(super) fn and(&self, other: &Interval) -> Interval {
        Interval {
            format: self.format,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            nan: self.nan && other.nan,
        }
    }

    /// At least what is in one of them.
    pub(super) fn or(&self, other: &Interval) -> Interval {
        let nan = self.nan || other.nan;
        let mut hull = if self.has_no_numbers() {
            other.clone()
        } else if other.has_no_numbers() {
            self.clone()
        } else {
            Interval {
                low: self.low.min(other.low),
                high: self.high.max(other.high),
                ..self.clone()
            }
        };
        hull.nan = nan;
        hull
    }

    fn has_infinity(&self) -> bool {
        let all = self.everything();
        !self.has_no_numbers() && (self.low == all.low || self.high == all.high)
    }

    fn has_zero(&self) -> bool {
        self.low <= 0 && self.high >= -1 && !self.has_no_numbers()
    }

    /// The hull of results for bounds; `nan` says whether there may be NaN as well. Which zero it
    /// is depends on more than the bounds.
    fn hull(&self, format: Format, results: &[Float], nan: bool) -> Interval {
        let Some(all) = Interval::all(format) else {
            return self.everything();
        };
        if results.iter().any(Float::is_nan) {
            return all;
        }
        let places = || results.iter().map(place);
        let (Some(low), Some(high)) = (places().min(), places().max()) else {
            return Interval {
                low: 0,
                high: -1,
                nan,
                ..all
            };
        };
        Interval {
            low: if low == 0 { -1 } else { low },
            high: if high == -1 { 0 } else { high },
            nan,
            ..all
        }
    }

    /// The results of a function of one argument that is monotone, and NaN exactly for NaN.
    pub(super) fn map(&self, format: Format, function: impl Fn(&Float) -> Float) -> Interval {
        if self.has_no_numbers() {
            return self.hull(format, &[], self.nan);
        }
        let bounds = [self.at(self.low), self.at(self.high)];
        self.hull(format, &bounds.each_ref().map(function), self.nan)
    }

    /// All results of a function of two arguments whose extreme values are those for bounds.
    fn corners(
        &self,
        other: &Interval,
        nan: bool,
        function: impl Fn(&Float, &Float) -> Float,
    ) -> Interval {
        let nan = nan || self.nan || other.nan;
        if self.has_no_numbers() || other.has_no_numbers() {
            return self.hull(self.format, &[], nan);
        }
        let mut results = Vec::with_capacity(4);
        for a in [self.low, self.high] {
            for b in [other.low, other.high] {
                results.push(function(&self.at(a), &other.at(b)));
            }
        }
        self.hull(self.format, &results, nan)
    }

    /// `self + other`
    pub(super) fn add(&self, mode: Mode, other: &Interval) -> Interval {
        let nan = self.has_infinity() && other.has_infinity();
        self.corners(other, nan, |a, b| a.add(mode, b))
    }

    /// `self * other`
    pub(super) fn mul(&self, mode: Mode, other: &Interval) -> Interval {
        let nan =
            self.has_infinity() && other.has_zero() || self.has_zero() && other.has_infinity();
        self.corners(other, nan, |a, b| a.mul(mode, b))
    }

    /// `self / other`
    pub(super) fn div(&self, mode: Mode, other: &Interval) -> Interval {
        if other.has_zero() {
            return self.everything();
        }
        let nan = self.has_infinity() && other.has_infinity();
        self.corners(other, nan, |a, b| a.div(mode, b))
    }

    /// `-self`
    pub(super) fn neg(&self) -> Interval {
        Interval {
            low: -1 - self.high,
            high: -1 - self.low,
            ..self.clone()
        }
    }

    /// Without signs.
    pub(super) fn abs(&self) -> Interval {
        if self.low >= 0 {
            return self.clone();
        }
        let negated = self.neg();
        Interval {
            low: if self.high < 0 { negated.low } else { 0 },
            high: self.high.max(negated.high),
            ..self.clone()
        }
    }

    /// The square root.
    pub(super) fn sqrt(&self, mode: Mode) -> Interval {
        let mut positive = self.clone();
        if self.low < -1 && !self.has_no_numbers() {
            positive.low = -1;
            positive.nan = true;
        }
        positive.map(self.format, |x| x.sqrt(mode))
    }

    /// Whether every number here is less than every one there, or none is; NaN is not less.
    pub(super) fn less(&self, other: &Interval, or_equal: bool) -> Option<bool> {
        let below = |x: i128, y: i128| if or_equal { x <= y } else { x < y };
        if self.has_no_numbers() || other.has_no_numbers() {
            return Some(false);
        }
        let certain = !self.nan && !other.nan;
        if certain && below(value(self.high), value(other.low)) {
            return Some(true);
        }
        (!below(value(self.low), value(other.high))).then_some(false)
    }

    /// Keeps what is less than something there, and there what is greater than something here.
    pub(super) fn keep_less(&mut self, other: &mut Interval, or_equal: bool) {
        self.nan = false;
        other.nan = false;
        if self.has_no_numbers() || other.has_no_numbers() {
            (self.low, self.high) = (0, -1);
            return;
        }
        let (greatest, least) = (value(other.high), value(self.low));
        let high = match (or_equal, greatest) {
            (true, greatest) => greatest,
            // Below zero, and not the other zero.
            (false, 0) => -2,
            (false, greatest) => greatest - 1,
        };
        let low = match (or_equal, least) {
            (true, 0) => -1,
            (true, least) => least,
            (false, least) => least + 1,
        };
        self.high = self.high.min(high);
        other.low = other.low.max(low);
    }

    /// Whether all numbers are equal by value, or none are; NaN equals nothing.
    pub(super) fn equal(&self, other: &Interval) -> Option<bool> {
        if self.has_no_numbers() || other.has_no_numbers() {
            return Some(false);
        }
        let apart = value(self.high) < value(other.low) || value(other.high) < value(self.low);
        if apart {
            return Some(false);
        }
        let one = |set: &Interval| !set.nan && value(set.low) == value(set.high);
        (one(self) && one(other)).then_some(true)
    }

    /// Only numbers.
    pub(super) fn without_nan(mut self) -> Interval {
        self.nan = false;
        self
    }

    /// Only NaN.
    pub(super) fn only_nan(mut self) -> Interval {
        (self.low, self.high) = (0, -1);
        self
    }

    /// Without infinities.
    pub(super) fn finite(mut self) -> Interval {
        let all = self.everything();
        self.low = self.low.max(all.low + 1);
        self.high = self.high.min(all.high - 1);
        self.nan = false;
        self
    }

    /// A place in the middle: of the values, or of the order.
    pub(super) fn middle(&self, by_value: bool) -> i128 {
        let (low, high) = (self.low, self.high);
        let halfway = low + (high - low) / 2;
        let bounds = [self.at(low), self.at(high)].map(|bound| bound.to_rational());
        let ([Some(a), Some(b)], true) = (bounds, by_value) else {
            return halfway;
        };
        let middle = (a + b) / num_rational::BigRational::from_integer(2.into());
        let middle = Float::from_rational(&middle, Mode::TowardNegative, self.format);
        place(&middle).clamp(low, high)
    }

    /// Two smaller intervals that have all of this one, which is no point: first NaN is split off.
    pub(super) fn halves(&self, by_value: bool) -> (Interval, Interval) {
        if self.nan {
            return (self.clone().without_nan(), self.clone().only_nan());
        }
        let middle = self.middle(by_value).min(self.high - 1);
        let low = Interval {
            high: middle,
            ..self.clone()
        };
        let high = Interval {
            low: middle + 1,
            ..self.clone()
        };
        (low, high)
    }
}
