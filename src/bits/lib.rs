//! Program graphs as circuits, for SAT solvers.
//!
//! | module | what it is |
//! |---|---|
//! | [`aig`] | and-inverter graphs |
//! | [`words`] | circuits for arithmetic |
//! | [`blast`] | terms as circuits |
//! | [`system`] | a program graph as a circuit with latches |
//! | [`sat`] | SAT solvers, and circuits as clauses |
//! | [`hints`] | what solvers are told about control |
//! | [`bmc`] | bounded model checking |
//! | [`ic3`] | IC3 |
//! | [`formats`] | circuits as files for other model checkers |
//!
//! Some terms have no circuit. A proof that leaves them open is still a proof; a counterexample is not believed.
//!
//! A step is a function of the state and the inputs, which IC3 needs. Where two edges could be taken, an input says which.
//!
//! This crate knows neither Z3 nor the checker. What it finds is a claim: a trace, or cubes of latches that are never reached.

pub mod aig;
pub mod blast;
pub mod bmc;
pub mod formats;
pub mod hints;
pub mod ic3;
pub mod sat;
pub mod system;
#[cfg(test)]
mod tests;
pub mod words;
