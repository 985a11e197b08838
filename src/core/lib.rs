//! What all parts of the verifier share: formulas, program graphs, evidence about them, the reasons for UNKNOWN, limits,
//! and counts.
//!
//! | module | what lives there |
//! |---|---|
//! | [`formula`] | terms, values, evaluation |
//! | [`graph`] | program graphs, evidence, their text |
//! | [`guard`] | panics as reasons |
//! | [`control`] | whether to go on |
//! | [`persistent`] | vectors and sets whose copies share what they have in common |
//! | [`questions`] | what solvers are asked, for those who listen |
//! | [`reason`] | why there is no verdict |
//! | [`stats`] | one record of counts for all engines |

pub mod control;
pub mod formula;
pub mod graph;
pub mod guard;
pub mod persistent;
pub mod questions;
pub mod reason;
pub mod stats;
