//! Which numbers are equal by the linear equations that hold now.

use std::collections::BTreeMap;

use super::number::{Delta, Rational};
use super::simplex::{Column, Simplex};

/// A linear combination of columns in normal form, and a constant.
pub(super) type Normal = (Vec<(Column, Rational)>, Delta);

/// Linear equations over original columns, in echelon form: some columns are expressed by smaller
/// ones.
#[derive(Debug, Default)]
pub(super) struct Affine {
    rows: BTreeMap<Column, Normal>,
}

impl Affine {
    /// All columns whose lower and upper bounds agree.
    pub(super) fn of_bounds(simplex: &Simplex) -> Affine {
        let mut affine = Affine::default();
        for column in simplex.columns() {
            if let (Some((lower, _)), Some((upper, _))) = simplex.bounds(column)
                && lower == upper
            {
                affine.insert(simplex.combination(column), &upper.clone());
            }
        }
        affine
    }

    /// `sum of factors == value`
    fn insert(&mut self, factors: &[(Column, Rational)], value: &Delta) {
        let (mut factors, mut constant) = self.normal(factors, -value);
        // The equations are consistent, or the simplex says so soon.
        let Some((pivot, factor)) = factors.pop() else {
            return;
        };
        let by = -factor.recip();
        for (_, other) in &mut factors {
            *other = &*other * &by;
        }
        constant = constant.scaled(&by);
        self.rows.insert(pivot, (factors, constant));
    }

    /// The normal form: numbers are equal by the equations exactly if theirs are.
    pub(super) fn normal(&self, factors: &[(Column, Rational)], mut constant: Delta) -> Normal {
        let mut open: BTreeMap<Column, Rational> = BTreeMap::new();
        for (column, factor) in factors {
            *open.entry(*column).or_default() += factor;
        }
        let mut normal = Vec::new();
        while let Some((column, factor)) = open.pop_last() {
            if factor.is_zero() {
                continue;
            }
            match self.rows.get(&column) {
                None => normal.push((column, factor)),
                Some((row, value)) => {
                    constant.add_scaled(&factor, value);
                    for (smaller, part) in row {
                        *open.entry(*smaller).or_default() += &(part * &factor);
                    }
                }
            }
        }
        normal.reverse();
        (normal, constant)
    }
}

#[cfg(test)]
mod tests;
