//! Which cells are worth speaking of when a step is looked at.

use std::collections::HashMap;

use indexmap::IndexSet;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::Quantified;
use ult_core::formula::{Op, Sort, Term, Terms};

/// A step that mentions more accesses than this is looked at for the first ones only.
const MOST_ACCESSES: usize = 24;

/// A formula is assumed for so many cells, or pairs, at most.
const MOST_INSTANCES: usize = 32;

/// The integer indices of each access to a map in a formula, those that belong to bound variables
/// left out.
pub(super) fn accesses(terms: &Terms, formula: Term) -> IndexSet<Vec<Term>> {
    let mut found = IndexSet::new();
    for term in terms.post_order(&[formula]) {
        let indices = indices_of(terms, term);
        if !indices.is_empty()
            && indices.iter().all(|&index| *terms.sort(index) == Sort::Int)
            && found.len() < MOST_ACCESSES
        {
            found.insert(indices.to_vec());
        }
    }
    found
}

/// The indices of one access to a map.
pub(super) fn indices_of(terms: &Terms, access: Term) -> &[Term] {
    match (terms.op(access), terms.args(access)) {
        (Op::Select, [_, indices @ ..]) | (Op::Store, [_, indices @ .., _]) => indices,
        _ => &[],
    }
}

/// What a formula about cells says of the cells at the given indices, and of the arbitrary ones
/// `cells`, if there are any.
pub(super) fn instances(
    terms: &Terms,
    about: &Quantified,
    accesses: &IndexSet<Vec<Term>>,
    cells: &[Term],
) -> Term {
    let bound = &about.bound;
    let cells = cells.get(..bound.len()).unwrap_or_default();
    let mut whole: IndexSet<Vec<Term>> = IndexSet::new();
    let mut each: Vec<IndexSet<Term>> = vec![IndexSet::new(); bound.len()];
    if bound.is_empty() {
        whole.insert(Vec::new());
    }
    if !cells.is_empty() {
        whole.insert(cells.to_vec());
        for (all, &cell) in each.iter_mut().zip(cells) {
            all.insert(cell);
        }
    }
    for own in &about.accesses {
        for access in accesses.iter().filter(|access| access.len() == own.len()) {
            let values = matched(terms, own, bound, access);
            for (all, value) in each.iter_mut().zip(&values) {
                all.extend(value);
            }
            whole.extend(values.into_iter().collect::<Option<Vec<Term>>>());
        }
    }
    // Where no access has all bound variables, each cell may meet each.
    if let [first, second] = &each[..]
        && !about.accesses.iter().any(|own| own.len() == bound.len())
    {
        let pairs = first
            .iter()
            .flat_map(|&x| second.iter().map(move |&y| vec![x, y]));
        whole.extend(pairs);
    }
    whole.truncate(MOST_INSTANCES);
    terms.and(whole.into_iter().map(|indices| about.at(terms, &indices)))
}

/// Values of the bound variables for which an access is at the given indices, as far as it tells
/// them.
pub(super) fn matched(
    terms: &Terms,
    own: &[Term],
    bound: &[Term],
    access: &[Term],
) -> Vec<Option<Term>> {
    let mut values = vec![None; bound.len()];
    for (&own, &index) in own.iter().zip(access) {
        let mut mentioned = (0..bound.len()).filter(|&b| mentions(terms, own, bound[b]));
        if let (Some(only), None) = (mentioned.next(), mentioned.next()) {
            values[only] = values[only].or_else(|| solved(terms, own, bound[only], index));
        }
    }
    values
}

/// The integer value of `bound` for which the linear term `own` is `index`, as a term; `None` if
/// there is no such term.
fn solved(terms: &Terms, own: Term, bound: Term, index: Term) -> Option<Term> {
    let (factor, rest) = linear_in(terms, own, bound)?;
    let (mut coefficients, mut constant) = terms.linear(terms.sub(index, rest));
    for (_, coefficient) in &mut coefficients {
        *coefficient /= &factor;
    }
    constant /= &factor;
    let mut parts = vec![terms.number(constant, &Sort::Int)?];
    for (base, coefficient) in coefficients {
        parts.push(terms.mul(&[terms.number(coefficient, &Sort::Int)?, base]));
    }
    Some(terms.add(&parts))
}

/// A term as `factor * variable + rest`; `None` if it is not linear in the variable, or does not
/// mention it.
pub(super) fn linear_in(terms: &Terms, term: Term, variable: Term) -> Option<(BigRational, Term)> {
    let (coefficients, constant) = terms.linear(term);
    let mut factor = BigRational::zero();
    let mut rest = vec![terms.number(constant, &Sort::Int)?];
    for (base, coefficient) in coefficients {
        if base == variable {
            factor = coefficient;
        } else if terms.free_vars(&[base]).contains(&variable) || mentions(terms, base, variable) {
            return None;
        } else {
            rest.push(terms.mul(&[terms.number(coefficient, &Sort::Int)?, base]));
        }
    }
    (!factor.is_zero()).then(|| (factor, terms.add(&rest)))
}

/// Whether a term contains another one.
pub(super) fn mentions(terms: &Terms, term: Term, other: Term) -> bool {
    terms.post_order(&[term]).contains(&other)
}

/// `variable` as a linear term of what the equation `left == right` says besides, if it says it
/// without a division.
pub(super) fn resolved(terms: &Terms, equation: Term, variable: Term) -> Option<Term> {
    let (Op::Eq, &[left, right]) = (terms.op(equation), terms.args(equation)) else {
        return None;
    };
    if *terms.sort(left) != Sort::Int {
        return None;
    }
    let (factor, rest) = linear_in(terms, terms.sub(left, right), variable)?;
    let by = -BigRational::one() / &factor;
    let (coefficients, constant) = terms.linear(rest);
    let mut parts = vec![terms.number(constant * &by, &Sort::Int)?];
    for (base, coefficient) in coefficients {
        let coefficient = terms.number(coefficient * &by, &Sort::Int)?;
        parts.push(terms.mul(&[coefficient, base]));
    }
    Some(terms.add(&parts))
}

/// A term with one variable replaced.
pub(super) fn replaced(terms: &Terms, term: Term, variable: Term, by: Term) -> Term {
    terms.substitute(term, &HashMap::from([(variable, by)]))
}

/// A term with variables replaced by others.
pub(super) fn replaced_all(terms: &Terms, term: Term, variables: &[Term], by: &[Term]) -> Term {
    let map = variables.iter().copied().zip(by.iter().copied());
    terms.substitute(term, &map.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_tells_which_cell_is_meant() {
        let terms = Terms::new();
        let k = terms.fresh_bound("k", Sort::Int);
        let i = terms.current("i", Sort::Int);
        let four_k_plus_one = terms.add(&[terms.mul(&[terms.int(4), k]), terms.int(1)]);
        let at = |index: Term| solved(&terms, four_k_plus_one, k, index);
        let four_i_plus_nine = terms.add(&[terms.mul(&[terms.int(4), i]), terms.int(9)]);
        assert_eq!(at(four_i_plus_nine), Some(terms.add(&[i, terms.int(2)])));
        assert_eq!(at(i), None);
        assert_eq!(at(terms.int(7)), None);
        assert_eq!(at(terms.int(9)), Some(terms.int(2)));
    }

    #[test]
    fn an_equation_tells_a_variable() {
        let terms = Terms::new();
        let (i, j) = (terms.current("i", Sort::Int), terms.current("j", Sort::Int));
        let four_j = terms.mul(&[terms.int(4), j]);
        let equation = terms.eq(i, terms.add(&[four_j, terms.int(1)]));
        assert_eq!(
            resolved(&terms, equation, i),
            Some(terms.add(&[four_j, terms.int(1)]))
        );
        assert_eq!(resolved(&terms, equation, j), None);
        let k = terms.current("k", Sort::Int);
        assert_eq!(resolved(&terms, equation, k), None);
    }
}
