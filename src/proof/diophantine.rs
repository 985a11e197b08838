//! Step `dioph`: equations that no integers solve.
//!
//! Sound: a sum of integer multiples of integers is an integer, and the equations say that it is none.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::farkas::{add, row};
use crate::linear::Form;
use crate::literal::{Lit, Literals};
use crate::term::Sort;

/// The equation that two literals say together.
fn equation(literals: &Literals, one: Lit, other: Lit) -> Option<(Form, BigRational)> {
    if one == other {
        return literals.equation(one).filter(|_| one.is_positive());
    }
    let (above, below) = (row(literals, one)?, row(literals, other)?);
    let meet = above.form == below.form
        && !above.is_negated
        && below.is_negated
        && above.limit == -&below.limit
        && !above.is_strict
        && !below.is_strict;
    meet.then_some((above.form, above.limit))
}

/// Checks that the equations, times the numbers, have no solution.
pub(crate) fn check(literals: &Literals, parts: &[(Lit, Lit, BigRational)]) -> Result<(), String> {
    let mut sum = BTreeMap::new();
    let mut constant = BigRational::zero();
    for (one, other, times) in parts {
        let (form, value) = equation(literals, *one, *other).ok_or("no equation")?;
        add(&mut sum, &form, times);
        constant += times * value;
    }
    let is_whole = |(id, factor)| *literals.graph.sort(id) == Sort::Int && BigRational::is_integer(factor);
    if !sum.iter().map(|(&id, factor)| (id, factor)).all(is_whole) {
        return Err("the sum is not one of integers".into());
    }
    match constant.is_integer() {
        true => Err("integers may solve the sum".into()),
        false => Ok(()),
    }
}
