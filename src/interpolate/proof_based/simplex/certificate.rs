//! Farkas certificates: why bounds contradict each other.

use super::{Column, Reason, Side, Simplex};
use crate::proof_based::number::{Delta, Rational};

/// One bound's share in a [`Certificate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The reason with which the bound was asserted.
    pub reason: Reason,
    /// The bounded column.
    pub column: Column,
    /// Which of its bounds.
    pub side: Side,
    /// The bound itself, as it was asserted.
    pub bound: Delta,
    /// The multiplier, greater than 0.
    pub factor: Rational,
}

/// A Farkas certificate: the sum over the parts of `factor * (column <= bound)` for upper and of
/// `factor * (-column <= -bound)` for lower bounds, written over the original variables, reads
/// `0 <= c` with `c < 0` (where `c` may be a negative multiple of the infinitesimal: `0 < 0`).
///
/// Each column occurs at most once, but for the conflict of its own two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Certificate {
    /// The bounds that contradict each other.
    pub parts: Vec<Part>,
}

impl Certificate {
    /// Adds up the certificate from the forms' definitions and says whether it is a contradiction.
    ///
    /// Takes nothing from the tableau. That the parts' bounds are what their reasons stand for is
    /// for the caller to know.
    pub(crate) fn holds(&self, simplex: &Simplex) -> bool {
        let mut sum: Vec<(Column, Rational)> = Vec::new();
        let mut constant = Delta::ZERO;
        for part in &self.parts {
            if !part.factor.is_positive() {
                return false;
            }
            let factor = match part.side {
                Side::Upper => part.factor.clone(),
                Side::Lower => -&part.factor,
            };
            constant.add_scaled(&factor, &part.bound);
            let combination = simplex.combination(part.column);
            sum.extend(combination.iter().map(|(c, k)| (*c, k * &factor)));
        }
        collect(&mut sum);
        sum.is_empty() && constant.is_negative()
    }
}

/// Sorts a sum by column, adds what belongs together, and drops zeros.
pub(super) fn collect(sum: &mut Vec<(Column, Rational)>) {
    sum.sort_by_key(|(column, _)| *column);
    sum.dedup_by(|(column, factor), (kept, total)| {
        let same = column == kept;
        if same {
            *total += &*factor;
        }
        same
    });
    sum.retain(|(_, factor)| !factor.is_zero());
}
