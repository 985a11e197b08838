//! The checker: the only room that may say SAFE or UNSAFE.
//!
//! Engines and reductions make claims ([`ult_core::graph::evidence`]); this room believes none of
//! them. Invariants are re-proved on the *unreduced* program graph with verification conditions
//! of its own ([`confirm_invariants`]); runs are re-executed on it with exact values
//! ([`confirm_run`]); [`Checker::decide`] turns claims into one [`Verdict`] per error location. What is
//! trusted is the formula and graph data types, the solver room, and the files of this folder.
//! Nothing from the reductions, the engines or interpolation is used here.
//!
//! | file | idea |
//! |---|---|
//! | [`verdict`] | the verdicts, whose payloads cannot be made elsewhere |
//! | `wellformed` | formulas and graphs are what they should be, sort by sort |
//! | `cut` | where walks through the graph stop |
//! | `region` | verification conditions for the part behind one cut, which must be acyclic |
//! | `values` | the values of all variables, of which few change from place to place |
//! | `prover` | one question, put to one or two solvers |
//! | [`certified`] | one question, answered by a proof and no solver |
//! | `finite` | maps over sorts that may be finite, in words that solvers get right |
//! | [`proof`] | re-proving invariants |
//! | `explored` | error locations that are excluded by following all runs |
//! | `segments` | error locations that are excluded by several segments in a row |
//! | `instantiate` | values as terms, formulas closed by the values of a run |
//! | [`run`] | re-executing runs |
//! | `defined`, `growing` | meanings of axioms about which a trace says nothing |
//! | `relevant` | which assumptions matter to a question |
//! | [`vacuity`] | warnings about proofs that say less than they seem to |
//! | [`decide`] | claims in, what is known out |
//! | `limits` | how long questions may take |
//! | [`lattice`] | how verdicts combine, and which reason for UNKNOWN wins |
//! | [`checker`] | one graph, the questions about it, and the solvers that answer them |
//!
//! *Axioms.* A proof assumes only the axioms that matter to the unit's edges (`relevance` in [`ult_core::graph`]): fewer
//! assumptions make no proof wrong. If the other axioms contradict each other, all are kept. A counterexample must satisfy
//! *all* axioms. It says nothing of the symbols that were left out, so the checker asks for a meaning of these with which
//! their axioms are true.
//!
//! *Quantifiers.* The checker hopes for refutations. It asks by triggers first, as Boogie does, and searches for models only
//! then.

pub mod certified;
pub mod checker;
mod cut;
pub mod decide;
mod defined;
mod explored;
mod finite;
mod growing;
mod instantiate;
pub mod lattice;
mod limits;
pub mod proof;
mod prover;
mod region;
mod relevant;
pub mod run;
mod segments;
pub mod vacuity;
pub mod verdict;
mod wellformed;

#[cfg(test)]
mod tests;

pub use certified::{Proofs, Question};
pub use checker::Checker;
pub use decide::{Claims, Tell};
pub use lattice::{Knowledge, Status, VerdictKind};
pub use proof::confirm_invariants;
pub use prover::Options;
pub use run::confirm_run;
pub use vacuity::Contradiction;
pub use verdict::{Proof, Verdict, Violation};
