//! Invariants about all cells of maps between bounds: `forall k :: lo <= k && k < hi ==> ...`, and
//! about all pairs of cells, or all cells of a map with two indices.
//!
//! The candidates are made from what the program stores and compares ([`candidates`]); the largest
//! inductive subset of them is found as for other candidates (Flanagan, Leino: "Houdini, an
//! Annotation Assistant for ESC/Java", FME 2001). No question to the solver contains a quantifier:
//! what is to be shown speaks of arbitrary cells, and what is assumed is instantiated for those
//! cells and for the indices that the step mentions ([`instances`]), as in Bradley, Manna, Sipma:
//! "What's Decidable About Arrays?" (VMCAI 2006). More instances are never needed for soundness,
//! only to keep more candidates.

mod bodies;
mod candidates;
mod claims;
mod houdini;
mod instances;
mod ranges;

pub use candidates::candidates;
pub use houdini::{Candidates, Houdini};

use std::collections::HashMap;

use ult_core::formula::{BinderKind, Op, Term, Terms};

/// `forall bound :: range ==> body`, a state formula; without the quantifier if nothing is bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantified {
    /// The bound variables, integers.
    bound: Vec<Term>,
    /// Between which bounds they lie.
    range: Term,
    /// What holds of each cell.
    body: Term,
    /// The indices of each access in the body that mentions bound variables.
    accesses: Vec<Vec<Term>>,
}

impl Quantified {
    /// A claim about all values of the bound variables in the range.
    pub fn new(terms: &Terms, bound: Vec<Term>, range: Term, body: Term) -> Quantified {
        Quantified {
            bound,
            range,
            body,
            accesses: instances::accesses(terms, body).into_iter().collect(),
        }
    }

    /// The formula itself.
    pub fn formula(&self, terms: &Terms) -> Term {
        let body = terms.implies(self.range, self.body);
        if self.bound.is_empty() {
            return body;
        }
        terms.bind(BinderKind::Forall, &self.bound, body, &[])
    }

    /// The bound variables.
    pub fn bound(&self) -> &[Term] {
        &self.bound
    }

    /// Which cells it speaks of.
    pub fn range(&self) -> Term {
        self.range
    }

    /// What it says of each of them.
    pub fn body(&self) -> Term {
        self.body
    }

    /// What it says of one cell, or of one pair.
    fn at(&self, terms: &Terms, indices: &[Term]) -> Term {
        let bound = self.bound.iter().copied();
        let map: HashMap<Term, Term> = bound.zip(indices.iter().copied()).collect();
        terms.substitute(terms.implies(self.range, self.body), &map)
    }
}

/// Terms over the state near which the limits of a range are.
pub fn limits(terms: &Terms, range: Term, bound: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for term in terms.post_order(&[range]) {
        let (Op::Le | Op::Lt | Op::Eq, &[left, right]) = (terms.op(term), terms.args(term)) else {
            continue;
        };
        let difference = terms.sub(left, right);
        for &variable in bound {
            let Some((factor, rest)) = instances::linear_in(terms, difference, variable) else {
                continue;
            };
            let others = terms.free_vars(&[rest]);
            if !others.iter().any(|other| bound.contains(other)) {
                found.push(terms.div(rest, terms.int((-factor).to_integer())));
            }
        }
    }
    found
}
