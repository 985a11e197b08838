//! Products of variables: those of sums are sums of products.
//!
//! A product is a number that the arithmetic does not look into. That of a sum is equal to what multiplication gives, and the products in there are
//! in one order. So polynomials are compared by linear arithmetic.

use super::instances::Round;
use super::quantified::Derivation;
use ult_core::formula::{Op, Term, Terms};

/// A product becomes no more products than this.
const MOST: usize = 64;

impl Round<'_, '_> {
    /// Says what a product is, if it has a sum in it.
    pub(super) fn product(&mut self, step: usize, term: Term) {
        let terms = self.atoms.terms;
        let Some(expanded) = expanded(terms, term) else {
            return;
        };
        let equal = terms.eq(term, expanded);
        if let Op::Eq = terms.op(equal) {
            self.derived(step, equal, Derivation::Polynomial);
        }
    }
}

/// A product as a sum of products without sums in them; none if it is that already, or if there are too many.
fn expanded(terms: &Terms, product: Term) -> Option<Term> {
    let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
    let mut open = vec![product];
    while let Some(factor) = open.pop() {
        let summands = match terms.op(factor) {
            Op::Mul => {
                open.extend(terms.args(factor));
                continue;
            }
            Op::Add => terms.args(factor),
            _ => &[factor],
        };
        let extend = |row: &Vec<Term>| {
            let longer = summands
                .iter()
                .map(|&summand| [&row[..], &[summand]].concat());
            longer.collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(extend).collect();
        if rows.len() > MOST {
            return None;
        }
    }
    if rows.len() == 1 {
        return None;
    }
    // A summand may be a product, and a factor of it a sum.
    let mut sum = Vec::new();
    for row in rows {
        let mut factors = Vec::new();
        for summand in row {
            match terms.op(summand) {
                Op::Mul => factors.extend(terms.args(summand)),
                _ => factors.push(summand),
            }
        }
        factors.sort_unstable();
        sum.push(terms.mul(&factors));
    }
    Some(terms.add(&sum))
}
