//! Intervals of integers.

use std::fmt;

/// The integers from `low` to `high`; `None` is no bound. Never empty: what would be is `None` as a whole.
///
/// A bound that does not fit is given up, which only makes the interval larger.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Interval {
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<i128>,
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.low {
            Some(low) => write!(f, "[{low}, ")?,
            None => f.write_str("(-oo, ")?,
        }
        match self.high {
            Some(high) => write!(f, "{high}]"),
            None => f.write_str("oo)"),
        }
    }
}

fn both(a: Option<i128>, b: Option<i128>, of: impl Fn(i128, i128) -> i128) -> Option<i128> {
    Some(of(a?, b?))
}

/// The one that is a bound, or the tighter of two.
fn tighter(a: Option<i128>, b: Option<i128>, of: impl Fn(i128, i128) -> i128) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(of(a, b)),
        (a, b) => a.or(b),
    }
}

impl Interval {
    /// All integers.
    pub(crate) const ALL: Interval = Interval {
        low: None,
        high: None,
    };

    /// Truth values: 0 and 1.
    pub(crate) const TRUTH: Interval = Interval {
        low: Some(0),
        high: Some(1),
    };

    pub(crate) fn only(value: i128) -> Interval {
        Interval {
            low: Some(value),
            high: Some(value),
        }
    }

    pub(crate) fn truth(value: bool) -> Interval {
        Interval::only(i128::from(value))
    }

    pub(crate) fn at_least(low: Option<i128>) -> Interval {
        Interval { low, high: None }
    }

    pub(crate) fn at_most(high: Option<i128>) -> Interval {
        Interval { low: None, high }
    }

    /// The value, if there is only one.
    pub(crate) fn value(self) -> Option<i128> {
        self.low.filter(|_| self.low == self.high)
    }

    pub(crate) fn contains(self, value: i128) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }

    /// What is in both; `None` if nothing is.
    pub(crate) fn meet(self, other: Interval) -> Option<Interval> {
        let low = tighter(self.low, other.low, i128::max);
        let high = tighter(self.high, other.high, i128::min);
        both(low, high, |low, high| high - low)
            .is_none_or(|_| low <= high)
            .then_some(Interval { low, high })
    }

    /// The smallest interval around both.
    pub(crate) fn join(self, other: Interval) -> Interval {
        Interval {
            low: both(self.low, other.low, i128::min),
            high: both(self.high, other.high, i128::max),
        }
    }

    /// A join that grows only a few times: a bound that has moved goes on to the next of the
    /// `landmarks` (in ascending order), and beyond the last one away.
    pub(crate) fn widen(self, other: Interval, landmarks: &[i128]) -> Interval {
        let joined = self.join(other);
        let low = match joined.low {
            low if low == self.low => low,
            Some(low) => landmarks[..landmarks.partition_point(|&mark| mark <= low)]
                .last()
                .copied(),
            None => None,
        };
        let high = match joined.high {
            high if high == self.high => high,
            Some(high) => landmarks
                .get(landmarks.partition_point(|&mark| mark < high))
                .copied(),
            None => None,
        };
        Interval { low, high }
    }

    pub(crate) fn add(self, other: Interval) -> Interval {
        Interval {
            low: self.low.zip(other.low).and_then(|(a, b)| a.checked_add(b)),
            high: self
                .high
                .zip(other.high)
                .and_then(|(a, b)| a.checked_add(b)),
        }
    }

    pub(crate) fn neg(self) -> Interval {
        Interval {
            low: self.high.and_then(i128::checked_neg),
            high: self.low.and_then(i128::checked_neg),
        }
    }

    pub(crate) fn sub(self, other: Interval) -> Interval {
        self.add(other.neg())
    }

    pub(crate) fn mul(self, other: Interval) -> Interval {
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) {
            let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
            return match corners {
                [Some(p), Some(q), Some(r), Some(s)] => Interval {
                    low: Some(p.min(q).min(r).min(s)),
                    high: Some(p.max(q).max(r).max(s)),
                },
                _ => Interval::ALL,
            };
        }
        match (self.value(), other.value()) {
            (Some(factor), _) => other.times(factor),
            (_, Some(factor)) => self.times(factor),
            _ => match (self.low, other.low) {
                (Some(a), Some(b)) if a >= 0 && b >= 0 => Interval::at_least(a.checked_mul(b)),
                _ => Interval::ALL,
            },
        }
    }

    fn times(self, factor: i128) -> Interval {
        let product = |bound: Option<i128>| bound.and_then(|bound| bound.checked_mul(factor));
        match factor {
            0 => Interval::only(0),
            1.. => Interval {
                low: product(self.low),
                high: product(self.high),
            },
            _ => Interval {
                low: product(self.high),
                high: product(self.low),
            },
        }
    }

    /// The numbers whose product with `factor`, which is not 0, is in here; `None` if there are none.
    pub(crate) fn divided_exactly(self, factor: i128) -> Option<Interval> {
        if factor == i128::MIN || factor == 0 {
            return Some(Interval::ALL);
        }
        let (range, factor) = match factor < 0 {
            true => (self.neg(), -factor),
            false => (self, factor),
        };
        // Rounded inwards: `low <= n * factor` says `ceil(low / factor) <= n`.
        let low = range.low.map(|low| {
            let quotient = low.div_euclid(factor);
            quotient + i128::from(low.rem_euclid(factor) != 0)
        });
        let high = range.high.map(|high| high.div_euclid(factor));
        match low.zip(high) {
            Some((low, high)) if low > high => None,
            _ => Some(Interval { low, high }),
        }
    }

    /// The Euclidean quotient by a positive number.
    pub(crate) fn div(self, divisor: i128) -> Interval {
        Interval {
            low: self.low.map(|low| low.div_euclid(divisor)),
            high: self.high.map(|high| high.div_euclid(divisor)),
        }
    }

    /// The Euclidean remainder by a positive number.
    pub(crate) fn modulo(self, divisor: i128) -> Interval {
        match (self.low, self.high) {
            (Some(low), Some(high)) if low.div_euclid(divisor) == high.div_euclid(divisor) => {
                Interval {
                    low: Some(low.rem_euclid(divisor)),
                    high: Some(high.rem_euclid(divisor)),
                }
            }
            _ => Interval {
                low: Some(0),
                high: Some(divisor - 1),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval() -> impl Strategy<Value = Interval> {
        let bound = || proptest::option::of(-6i128..6);
        (bound(), bound()).prop_map(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => Interval {
                low: Some(a.min(b)),
                high: Some(a.max(b)),
            },
            (low, high) => Interval { low, high },
        })
    }

    proptest! {
        #[test]
        fn operations_contain_what_they_are_of(
            a in interval(), b in interval(), x in -12i128..12, y in -12i128..12, n in 1i128..5, marks in proptest::collection::vec(-9i128..9, 0..4)
        ) {
            let mut marks = marks;
            marks.sort_unstable();
            if a.contains(x) && b.contains(y) {
                prop_assert!(a.add(b).contains(x + y));
                prop_assert!(a.sub(b).contains(x - y));
                prop_assert!(a.mul(b).contains(x * y));
                prop_assert!(a.div(n).contains(x.div_euclid(n)));
                prop_assert!(a.modulo(n).contains(x.rem_euclid(n)));
                prop_assert!(a.join(b).contains(x) && a.join(b).contains(y));
                prop_assert!(a.widen(b, &marks).contains(x) && a.widen(b, &marks).contains(y));
            }
            prop_assert_eq!(a.meet(b).is_some_and(|both| both.contains(x)), a.contains(x) && b.contains(x));
            for factor in [n, -n] {
                let exact = a.divided_exactly(factor).is_some_and(|range| range.contains(x));
                prop_assert_eq!(exact, a.contains(x * factor));
            }
        }

        #[test]
        fn what_does_not_fit_has_no_bound(x in i128::MAX - 4..i128::MAX) {
            let large = Interval::only(x);
            prop_assert_eq!(large.add(large).high, None);
            prop_assert_eq!(large.mul(large), Interval::ALL);
            prop_assert!(large.neg().sub(large).low.is_none());
        }
    }
}
