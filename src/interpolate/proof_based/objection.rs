//! Why the theory objects: what the parts of a proof rest on.

use super::clause::Lit;
use super::equality::Link;
use super::number::{Delta, Rational};
use super::simplex::{Column, Side};

/// Why a clause holds in the theory: its negated literals are inconsistent.
#[derive(Clone, Debug)]
pub(super) enum Lemma {
    /// A positive combination of bounds is `0 <= negative`, or `0 < 0`.
    Farkas(Vec<Bound>),
    /// A combination of equations over integers has integer factors and a constant that is none.
    Diophantine(Vec<TightEquation>),
    /// A chain of equalities connects two terms that are not equal.
    Chain(Vec<Link>, Option<Lit>),
    /// The solver says so.
    Oracle,
}

/// A bound in a Farkas lemma.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// The literal that states the bound.
    pub lit: Lit,
    /// The column that is bounded.
    pub column: Column,
    /// From above or from below.
    pub side: Side,
    /// The bound.
    pub bound: Delta,
    /// What it is multiplied with; positive.
    pub factor: Rational,
}

/// An equation `column == value` between integers in a Diophantine lemma.
#[derive(Clone, Debug)]
pub(super) struct TightEquation {
    /// The literal that bounds the column from above.
    pub upper: Lit,
    /// The literal that bounds it from below.
    pub lower: Lit,
    /// The column.
    pub column: Column,
    /// Its value.
    pub value: Rational,
    /// What the equation is multiplied with.
    pub factor: Rational,
}
