//! Expressions of a model, with Rust's operators.
//!
//! The type of an expression says whether it is an integer, a truth value or an array, so that expressions that make no
//! sense do not compile. This does:
//!
//! ```
//! # let terms = ult::formula::Terms::new();
//! # let mut model = ult::model::Model::new(&terms, "m");
//! let (x, on) = (model.int("x"), model.bool("on"));
//! let right = x + x;
//! ```
//!
//! and this does not:
//!
//! ```compile_fail,E0277
//! # let terms = ult::formula::Terms::new();
//! # let mut model = ult::model::Model::new(&terms, "m");
//! let (x, on) = (model.int("x"), model.bool("on"));
//! let wrong = x + on;
//! ```

use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, Mul, Neg, Not, Sub};

use ult_core::formula::{Sort, Term, Terms};

/// What kinds of expressions there are.
pub mod kind {
    use ult_core::formula::Sort;

    /// A kind of expressions.
    pub trait Kind: Copy {
        /// The sort of the terms behind them.
        fn sort() -> Sort;
    }

    /// Integers without limits.
    #[derive(Clone, Copy, Debug)]
    pub struct Int;

    /// Truth values.
    #[derive(Clone, Copy, Debug)]
    pub struct Bool;

    /// Maps from integers to integers, without bounds.
    #[derive(Clone, Copy, Debug)]
    pub struct Array;

    impl Kind for Int {
        fn sort() -> Sort {
            Sort::Int
        }
    }

    impl Kind for Bool {
        fn sort() -> Sort {
            Sort::Bool
        }
    }

    impl Kind for Array {
        fn sort() -> Sort {
            Sort::map(vec![Sort::Int], Sort::Int)
        }
    }
}

use kind::Kind;

/// An expression over the variables of a model. Cheap to copy.
///
/// Expressions of different stores of terms may be mixed; the result belongs to the store of the left one.
#[derive(Clone, Copy)]
pub struct Expr<'t, K: Kind> {
    pub(super) terms: &'t Terms,
    pub(super) term: Term,
    kind: PhantomData<K>,
}

/// An integer.
pub type Int<'t> = Expr<'t, kind::Int>;
/// A truth value.
pub type Bool<'t> = Expr<'t, kind::Bool>;
/// An array: a value for every integer.
pub type Array<'t> = Expr<'t, kind::Array>;

/// What can stand for an expression of a kind: one, or a literal of Rust.
pub trait IntoExpr<'t, K: Kind> {
    /// The expression, as a term of the store.
    fn into_term(self, terms: &'t Terms) -> Term;
}

impl<'t, K: Kind> IntoExpr<'t, K> for Expr<'_, K> {
    fn into_term(self, terms: &'t Terms) -> Term {
        if std::ptr::eq(self.terms, terms) {
            self.term
        } else {
            terms.import(self.terms, self.term)
        }
    }
}

impl<'t> IntoExpr<'t, kind::Int> for i64 {
    fn into_term(self, terms: &'t Terms) -> Term {
        terms.int(self)
    }
}

impl<'t> IntoExpr<'t, kind::Bool> for bool {
    fn into_term(self, terms: &'t Terms) -> Term {
        terms.bool(self)
    }
}

impl<'t, K: Kind> Expr<'t, K> {
    pub(super) fn new(terms: &'t Terms, term: Term) -> Expr<'t, K> {
        debug_assert_eq!(*terms.sort(term), K::sort());
        Expr {
            terms,
            term,
            kind: PhantomData,
        }
    }

    /// The term behind the expression, for the rest of this crate.
    pub fn term(self) -> Term {
        self.term
    }

    /// The value that the expression has behind the step: `x'` for a variable `x`.
    pub fn next(self) -> Expr<'t, K> {
        Expr::new(self.terms, self.terms.primed(self.term))
    }

    /// `self == other`
    pub fn is(self, other: impl IntoExpr<'t, K>) -> Bool<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.eq(self.term, other))
    }

    /// `self != other`
    pub fn is_not(self, other: impl IntoExpr<'t, K>) -> Bool<'t> {
        !self.is(other)
    }

    /// `if condition then self else other`
    pub fn when(self, condition: Bool<'t>, other: impl IntoExpr<'t, K>) -> Expr<'t, K> {
        let condition = condition.into_term(self.terms);
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.ite(condition, self.term, other))
    }
}

impl<'t> Int<'t> {
    fn relation(
        self,
        other: impl IntoExpr<'t, kind::Int>,
        relation: impl Fn(&Terms, Term, Term) -> Term,
    ) -> Bool<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, relation(self.terms, self.term, other))
    }

    /// `self < other`
    pub fn below(self, other: impl IntoExpr<'t, kind::Int>) -> Bool<'t> {
        self.relation(other, Terms::lt)
    }

    /// `self <= other`
    pub fn at_most(self, other: impl IntoExpr<'t, kind::Int>) -> Bool<'t> {
        self.relation(other, Terms::le)
    }

    /// `self > other`
    pub fn above(self, other: impl IntoExpr<'t, kind::Int>) -> Bool<'t> {
        self.relation(other, Terms::gt)
    }

    /// `self >= other`
    pub fn at_least(self, other: impl IntoExpr<'t, kind::Int>) -> Bool<'t> {
        self.relation(other, Terms::ge)
    }
}

impl<'t> Bool<'t> {
    /// `self ==> other`
    pub fn implies(self, other: impl IntoExpr<'t, kind::Bool>) -> Bool<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.implies(self.term, other))
    }
}

impl<'t> Array<'t> {
    /// The value at an index.
    pub fn at(self, index: impl IntoExpr<'t, kind::Int>) -> Int<'t> {
        let index = index.into_term(self.terms);
        Expr::new(self.terms, self.terms.select(self.term, &[index]))
    }

    /// The array with another value at an index.
    pub fn with(
        self,
        index: impl IntoExpr<'t, kind::Int>,
        value: impl IntoExpr<'t, kind::Int>,
    ) -> Array<'t> {
        let (index, value) = (index.into_term(self.terms), value.into_term(self.terms));
        Expr::new(self.terms, self.terms.store(self.term, &[index], value))
    }
}

impl<'t, R: IntoExpr<'t, kind::Int>> Add<R> for Int<'t> {
    type Output = Int<'t>;

    fn add(self, other: R) -> Int<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.add(&[self.term, other]))
    }
}

impl<'t, R: IntoExpr<'t, kind::Int>> Sub<R> for Int<'t> {
    type Output = Int<'t>;

    fn sub(self, other: R) -> Int<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.sub(self.term, other))
    }
}

impl<'t, R: IntoExpr<'t, kind::Int>> Mul<R> for Int<'t> {
    type Output = Int<'t>;

    fn mul(self, other: R) -> Int<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.mul(&[self.term, other]))
    }
}

impl<'t> Neg for Int<'t> {
    type Output = Int<'t>;

    fn neg(self) -> Int<'t> {
        Expr::new(self.terms, self.terms.neg(self.term))
    }
}

impl<'t, R: IntoExpr<'t, kind::Bool>> BitAnd<R> for Bool<'t> {
    type Output = Bool<'t>;

    fn bitand(self, other: R) -> Bool<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.and2(self.term, other))
    }
}

impl<'t, R: IntoExpr<'t, kind::Bool>> BitOr<R> for Bool<'t> {
    type Output = Bool<'t>;

    fn bitor(self, other: R) -> Bool<'t> {
        let other = other.into_term(self.terms);
        Expr::new(self.terms, self.terms.or2(self.term, other))
    }
}

impl<'t> Not for Bool<'t> {
    type Output = Bool<'t>;

    fn not(self) -> Bool<'t> {
        Expr::new(self.terms, self.terms.not(self.term))
    }
}

/// The variable `name` of this kind, before the step.
pub(super) fn variable<'t, K: Kind>(terms: &'t Terms, name: &str) -> Expr<'t, K> {
    Expr::new(terms, terms.current(name, K::sort()))
}

/// The sort of the variables of a kind.
pub(super) fn sort<K: Kind>() -> Sort {
    K::sort()
}
