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
