//! Step `dioph`: equations that no integers solve.
//!
//! Sound: every premise is the negation of a literal of the clause, and each pair says `f <= c` and `f >= c` for one form and one
//! number. The sum has integer factors and only terms of sort `Int`, so its value is an integer. If the constant is none, the clause
//! holds.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::farkas::{add, row};
use crate::linear::Form;
use crate::literal::{Atom, Lit, Literals};
use crate::term::Sort;

/// What a literal says of a form from above, or from below: the form is at most, or at least, the number.
fn side(literals: &Literals, lit: Lit, is_below: bool) -> Option<(Form, BigRational)> {
    if let (Atom::Equation(form, value), true) = (literals.atom(lit), lit.is_positive()) {
        return Some((form.clone(), value.clone()));
    }
    let row = row(literals, lit)?;
    if row.is_strict || row.is_negated != is_below {
        return None;
    }
    let limit = if is_below { -row.limit } else { row.limit };
    Some((row.form, limit))
}

/// The equation that two literals say together.
fn equation(literals: &Literals, above: Lit, below: Lit) -> Option<(Form, BigRational)> {
    let (above, below) = (side(literals, above, false)?, side(literals, below, true)?);
    (above == below).then_some(above)
}

/// Checks that the equations, times the numbers, have no solution.
pub(crate) fn check(literals: &Literals, parts: &[([Lit; 2], BigRational)]) -> Result<(), String> {
    let mut sum = BTreeMap::new();
    let mut constant = BigRational::zero();
    for ([one, other], times) in parts {
        let (form, value) = equation(literals, *one, *other).ok_or("no equation")?;
        add(&mut sum, &form, times);
        constant += times * value;
    }
    let is_whole =
        |(id, factor)| *literals.graph.sort(id) == Sort::Int && BigRational::is_integer(factor);
    if !sum.iter().map(|(&id, factor)| (id, factor)).all(is_whole) {
        return Err("the sum is not one of integers".into());
    }
    match constant.is_integer() {
        true => Err("integers may solve the sum".into()),
        false => Ok(()),
    }
}
