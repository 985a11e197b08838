//! What a comparison says of one variable.

use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};

use ult_core::formula::{Op, Term, Terms};

/// A side of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
}

/// Where the variable is too far to this side for the comparison to be true. Nothing if it bounds the variable only to the other
/// side.
pub(super) fn beyond(terms: &Terms, comparison: Term, variable: Term, side: Side) -> Option<Term> {
    let (Op::Le | Op::Eq, &[left, right]) = (terms.op(comparison), terms.args(comparison)) else {
        return None;
    };
    let factor = |sum: Term| -> BigRational {
        let found = terms.linear(sum).0.into_iter();
        let found = found.filter(|(base, _)| *base == variable);
        found.map(|(_, factor)| factor).sum()
    };
    let factor = factor(right) - factor(left);
    let bounds_below = factor.is_positive() == (side == Side::Below);
    match terms.op(comparison) {
        _ if factor.is_zero() => None,
        _ if bounds_below => Some(terms.lt(right, left)),
        Op::Eq => Some(terms.lt(left, right)),
        _ => None,
    }
}
