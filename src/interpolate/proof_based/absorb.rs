//! Conjunctions and disjunctions of partial interpolants, with what is redundant at first sight
//! left out: clauses of a proof share literals, so their interpolants repeat each other.

use ult_core::formula::{Term, Terms};

/// Larger formulas are only put together.
const MOST_PARTS: usize = 32;

/// `a && b`
pub(super) fn and(terms: &Terms, a: Term, b: Term) -> Term {
    junction(terms, true, terms.and2(a, b))
}

/// `a || b`
pub(super) fn or(terms: &Terms, a: Term, b: Term) -> Term {
    junction(terms, false, terms.or2(a, b))
}

/// The parts of a conjunction (or disjunction) without those that another one makes redundant:
/// `x && (x || y)` is `x`. (Absorption.)
fn junction(terms: &Terms, conjunction: bool, formula: Term) -> Term {
    let outer = |t: Term| match conjunction {
        true => terms.conjuncts(t),
        false => terms.disjuncts(t),
    };
    let inner = |t: Term| match conjunction {
        true => terms.disjuncts(t),
        false => terms.conjuncts(t),
    };
    let parts = outer(formula);
    if parts.len() < 2 || parts.len() > MOST_PARTS {
        return formula;
    }
    let sets: Vec<Vec<Term>> = parts
        .iter()
        .map(|&part| {
            let mut set = inner(part);
            set.sort_unstable();
            set
        })
        .collect();
    if sets.iter().any(|set| set.len() > MOST_PARTS) {
        return formula;
    }
    let kept = (0..parts.len()).filter(|&i| {
        !(0..parts.len()).any(|j| {
            let smaller = (sets[j].len(), j) < (sets[i].len(), i);
            i != j && smaller && sets[j].iter().all(|t| sets[i].binary_search(t).is_ok())
        })
    });
    let kept: Vec<Term> = kept.map(|i| parts[i]).collect();
    if kept.len() == parts.len() {
        return formula;
    }
    match conjunction {
        true => terms.and(kept),
        false => terms.or(kept),
    }
}

#[cfg(test)]
mod tests;
