//! Step `farkas`: a sum of bounds is a contradiction.
//!
//! Sound: every premise is the negation of a literal of the clause, so all of them hold where the clause is false. Bounds times positive
//! numbers, and equations times any numbers, add up to a bound that holds. If that is `0 <= c` with `c < 0`, or `0 < c` with `c <= 0`,
//! the clause holds. The negation of `f <= c` is `f >= c + 1` only if all base terms of `f` are integers. (Farkas's lemma says that there
//! is such a sum wherever linear bounds on reals contradict each other.)

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::linear::{Form, is_integer};
use crate::literal::{Atom, Lit, Literals};
use crate::term::Id;

/// Adds a multiple of a form.
pub(crate) fn add(sum: &mut BTreeMap<Id, BigRational>, form: &Form, times: &BigRational) {
    for (id, factor) in form {
        *sum.entry(*id).or_default() += times * BigRational::from(factor.clone());
    }
}

/// `form <= limit` or `form < limit`, or the same of `-form`, as a literal says.
pub(crate) struct Row {
    pub(crate) form: Form,
    /// Whether it is about `-form`.
    pub(crate) is_negated: bool,
    pub(crate) limit: BigRational,
    pub(crate) is_strict: bool,
}

/// What a literal says that is a bound.
pub(crate) fn row(literals: &Literals, lit: Lit) -> Option<Row> {
    let Atom::Bound(bound) = literals.atom(lit) else {
        return None;
    };
    let form = bound.form.clone();
    let one = BigRational::from(BigInt::one());
    let (is_negated, limit, is_strict) =
        match (lit.is_positive(), is_integer(&literals.graph, &form)) {
            (true, _) => (false, bound.limit.clone(), bound.is_strict),
            (false, true) => (true, -(&bound.limit + one), false),
            (false, false) => (true, -&bound.limit, !bound.is_strict),
        };
    Some(Row {
        form,
        is_negated,
        limit,
        is_strict,
    })
}

/// Checks that the sum of what these literals say, times the numbers, is a contradiction.
pub(crate) fn check(literals: &Literals, parts: &[([Lit; 1], BigRational)]) -> Result<(), String> {
    let mut sum = BTreeMap::new();
    let mut limit = BigRational::zero();
    let mut is_strict = false;
    for ([lit], times) in parts {
        if let (Atom::Equation(form, value), true) = (literals.atom(*lit), lit.is_positive()) {
            add(&mut sum, form, times);
            limit += times * value;
            continue;
        }
        let row = row(literals, *lit).ok_or("no bound and no equation")?;
        if !times.is_positive() {
            return Err("a bound is not multiplied with a positive number".into());
        }
        let signed = if row.is_negated {
            -times
        } else {
            times.clone()
        };
        add(&mut sum, &row.form, &signed);
        limit += times * &row.limit;
        is_strict |= row.is_strict;
    }
    if sum.values().any(|factor| !factor.is_zero()) {
        return Err("something is left of the sum".into());
    }
    match limit.is_negative() || is_strict && limit.is_zero() {
        true => Ok(()),
        false => Err("the sum is no contradiction".into()),
    }
}
