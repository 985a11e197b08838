//! Checks proofs that formulas contradict each other, without a solver.
//!
//! A question is a list of formulas, a proof is a list of steps that end with the empty clause. `FORMAT.md` says how both are
//! written, and what each step has to be. [`check`] reads them and believes nothing: neither the numbers of terms nor their
//! sorts, nor that a step is what it says.
//!
//! This crate is what a verdict with a certificate rests on, so it stands on nothing but numbers of any size. It has no recursion. Most
//! steps take about as long as what they mention; `equal` takes some rounds over the terms in question, of which there are at most 4,000.
//!
//! | file | idea |
//! |---|---|
//! | `term` | the terms, with their sorts |
//! | `linear` | comparisons of numbers, in one form |
//! | `bits` | the bits of bit-vectors, one by one |
//! | `literal` | which literals are the same |
//! | `propagate` | step `prop`: what follows by looking at one term |
//! | `rup` | step `rup`: what follows from clauses |
//! | `farkas` | step `farkas`: a sum of bounds is a contradiction |
//! | `diophantine` | step `dioph`: equations without integers that solve them |
//! | `equal` | step `equal`: equality, functions, maps |
//! | `instance` | steps `inst`, `skolem` and `ext`: terms for bound variables, and witnesses |
//! | `polynomial` | step `poly`: the same polynomial |
//! | `steps` | the lines of a proof, one by one |

pub mod bits;
mod diophantine;
mod equal;
mod farkas;
mod instance;
mod linear;
mod literal;
mod polynomial;
mod propagate;
mod rup;
mod steps;
mod term;

#[cfg(test)]
mod tests;

use std::fmt;

/// Why a proof proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line of the question or of the proof, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// Checks that the proof shows that no values make all assertions of the question true.
///
/// # Errors
/// If it does not show that, or is not written as `FORMAT.md` says.
pub fn check(question: &str, proof: &str) -> Result<(), Wrong> {
    steps::check(question, proof)
}
