//! Invariants about all cells of maps between two bounds: `forall k :: lo <= k && k < hi ==> ...`.
//!
//! The candidates are made from what the program stores and compares ([`candidates`]); the largest
//! inductive subset of them is found as for other candidates (Flanagan, Leino: "Houdini, an
//! Annotation Assistant for ESC/Java", FME 2001). No question to the solver contains a quantifier:
//! what is to be shown speaks of one arbitrary cell, and what is assumed is instantiated for that
//! cell and for the indices that the step mentions ([`instances`]), as in Bradley, Manna, Sipma:
//! "What's Decidable About Arrays?" (VMCAI 2006). More instances are never needed for soundness,
//! only to keep more candidates.

mod candidates;
mod houdini;
mod instances;

pub use candidates::candidates;
pub use houdini::Houdini;

use std::collections::HashMap;

use ult_core::formula::{BinderKind, Term, Terms};

/// `forall bound :: range ==> body`, a state formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantified {
    /// The bound variable, an integer.
    bound: Term,
    /// Between which bounds it lies.
    range: Term,
    /// What holds of each cell.
    body: Term,
    /// The indices in the body that mention the bound variable.
    indices: Vec<Term>,
}

impl Quantified {
    /// The formula itself.
    pub fn formula(&self, terms: &Terms) -> Term {
        let body = terms.implies(self.range, self.body);
        terms.bind(BinderKind::Forall, &[self.bound], body, &[])
    }

    /// What it says of one cell.
    fn at(&self, terms: &Terms, index: Term) -> Term {
        let index = HashMap::from([(self.bound, index)]);
        terms.substitute(terms.implies(self.range, self.body), &index)
    }
}
