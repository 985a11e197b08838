//! What one bound says about the other atoms on the same form.
//!
//! `state == 3` excludes `state == 4`, and `x <= 3` implies `x <= 5`. The simplex would find out
//! by a conflict each time; as clauses of two literals they are propagated from then on.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::atoms::Atoms;
use super::clause::Lit;
use super::number::{Delta, Rational};
use super::objection::{Bound, Lemma};
use super::search::Implied;
use super::simplex::{Column, Side};

/// The columns whose bounds changed, and the clauses made so far.
#[derive(Default)]
pub(super) struct Consequences {
    touched: Vec<Column>,
    known: HashSet<(Lit, Lit)>,
}

impl Consequences {
    /// A bound was asserted on a column.
    pub(super) fn touch(&mut self, column: Column) {
        self.touched.push(column);
    }

    /// What the bounds that were asserted since the last call say about open atoms, where the
    /// theory would object to the opposite.
    pub(super) fn take(
        &mut self,
        atoms: &Atoms<'_>,
        open: &dyn Fn(Lit) -> bool,
    ) -> Vec<Implied<Lemma>> {
        let mut found = Vec::new();
        self.touched.sort_unstable();
        self.touched.dedup();
        for column in std::mem::take(&mut self.touched) {
            let (lower, upper) = atoms.simplex.bounds(column);
            for &var in atoms.on(column) {
                for lit in [Lit::new(var, true), Lit::new(var, false)] {
                    if !open(lit) || !atoms.is_needed(!lit) {
                        continue;
                    }
                    // The bounds that the opposite literal would assert, against those there are.
                    let Some((_, above, below)) = atoms.bounds(!lit) else {
                        continue;
                    };
                    let against = [
                        (above, Side::Upper, lower, Ordering::Less),
                        (below, Side::Lower, upper, Ordering::Greater),
                    ];
                    for (bound, side, opposite, wrong) in against {
                        let (Some(bound), Some((there, reason))) = (bound, opposite) else {
                            continue;
                        };
                        let reason = Lit::from_index(reason as usize);
                        if bound.cmp(there) == wrong && self.known.insert((lit, reason)) {
                            let lemma = contradiction(column, !lit, side, bound, reason, there);
                            found.push(Implied { lit, reason, lemma });
                            break;
                        }
                    }
                }
            }
        }
        found
    }
}

/// An upper bound below a lower bound of the same column.
fn contradiction(
    column: Column,
    lit: Lit,
    side: Side,
    bound: Delta,
    reason: Lit,
    there: &Delta,
) -> Lemma {
    let opposite = match side {
        Side::Upper => Side::Lower,
        Side::Lower => Side::Upper,
    };
    let part = |lit, side, bound| Bound {
        lit,
        column,
        side,
        bound,
        factor: Rational::from(1),
    };
    Lemma::Farkas(vec![
        part(lit, side, bound),
        part(reason, opposite, there.clone()),
    ])
}
