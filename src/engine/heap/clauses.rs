//! Disjunctions that hold in all states that were seen.

use fixedbitset::FixedBitSet;

use super::literals::{Together, together};
use ult_core::formula::{Term, Terms};

/// The smallest disjunctions of at most `most` literals that hold in all rows; of each literal, the
/// rows in which it does not. At most `limit`, smaller ones first.
pub(super) fn smallest(
    terms: &Terms,
    literals: &[(Term, FixedBitSet)],
    most: usize,
    limit: usize,
) -> Vec<Vec<Term>> {
    let mut found: Vec<Vec<Term>> = Vec::new();
    let (alone, open): (Vec<_>, Vec<_>) = literals.iter().partition(|(_, fails)| fails.is_clear());
    found.extend(alone.into_iter().map(|(literal, _)| vec![*literal]));
    let count = open.len();
    let mut pairs = vec![FixedBitSet::with_capacity(count); count];
    let mut useful = vec![FixedBitSet::with_capacity(count); count];
    for first in 0..count {
        for second in first + 1..count {
            let (one, other) = (open[first].0, open[second].0);
            if together(terms, one, other) != Together::Apart {
                continue;
            }
            useful[first].insert(second);
            if open[first].1.is_disjoint(&open[second].1) {
                pairs[first].insert(second);
                if most >= 2 {
                    found.push(vec![one, other]);
                }
            }
        }
    }
    if most >= 3 {
        for first in 0..count {
            for second in useful[first].ones() {
                if found.len() >= limit {
                    return found;
                }
                if pairs[first].contains(second) {
                    continue;
                }
                let mut both = open[first].1.clone();
                both.intersect_with(&open[second].1);
                for third in useful[second].ones() {
                    if useful[first].contains(third)
                        && !pairs[first].contains(third)
                        && !pairs[second].contains(third)
                        && both.is_disjoint(&open[third].1)
                    {
                        found.push(vec![open[first].0, open[second].0, open[third].0]);
                    }
                }
            }
        }
    }
    found.truncate(limit);
    found
}
