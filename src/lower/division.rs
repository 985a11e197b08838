//! Division whose result for a zero divisor is arbitrary but fixed.
//!
//! SMT-LIB's `div`, `mod` and `/` are total functions that mean something arbitrary at zero. Terms
//! have them only for divisors that are not zero, so each division is guarded here:
//! `if d == 0 then div0(n) else n div d` with a rigid function `div0`.

use std::sync::Arc;

use num_traits::Zero;

use super::names::Names;
use ult_core::formula::{Function, Sort, Term, Terms};

/// The rigid functions that stand for division by zero.
#[derive(Clone, Debug)]
pub struct TotalDivision {
    div0: Arc<Function>,
    mod0: Arc<Function>,
    rdiv0: Arc<Function>,
}

impl TotalDivision {
    /// Functions with names that are not in use yet.
    pub fn new(names: &mut Names) -> TotalDivision {
        let mut function = |name: &str, sort: Sort| {
            Arc::new(Function {
                name: names.fresh(name),
                params: vec![sort.clone()],
                result: sort,
            })
        };
        TotalDivision {
            div0: function("div0", Sort::Int),
            mod0: function("mod0", Sort::Int),
            rdiv0: function("rdiv0", Sort::Real),
        }
    }

    /// The functions.
    pub fn functions(&self) -> [&Arc<Function>; 3] {
        [&self.div0, &self.mod0, &self.rdiv0]
    }

    /// `a div b` on integers, Euclidean.
    pub fn div(&self, terms: &Terms, a: Term, b: Term) -> Term {
        guard(terms, &self.div0, a, b, |a, b| terms.div(a, b))
    }

    /// `a mod b` on integers, Euclidean.
    pub fn modulo(&self, terms: &Terms, a: Term, b: Term) -> Term {
        guard(terms, &self.mod0, a, b, |a, b| terms.modulo(a, b))
    }

    /// `a / b` on reals.
    pub fn real_div(&self, terms: &Terms, a: Term, b: Term) -> Term {
        guard(terms, &self.rdiv0, a, b, |a, b| terms.real_div(a, b))
    }
}

fn guard(
    terms: &Terms,
    at_zero: &Arc<Function>,
    a: Term,
    b: Term,
    divide: impl Fn(Term, Term) -> Term,
) -> Term {
    let zero = match terms.as_number(b) {
        Some(value) if value.is_zero() => return terms.apply(at_zero, &[a]),
        Some(_) => return divide(a, b),
        None => match terms.sort(b) {
            Sort::Real => terms.real(num_rational::BigRational::zero()),
            _ => terms.int(0),
        },
    };
    terms.ite(terms.eq(b, zero), terms.apply(at_zero, &[a]), divide(a, b))
}
