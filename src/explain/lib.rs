//! What was found out about a program, in the terms of its source: for people, editors and reports.
//!
//! Nothing here decides anything. Formulas, traces and searches come from the checker and the engines; this crate finds the
//! words, the places and the values to show.
//!
//! | file | idea |
//! |---|---|
//! | [`source`] | a text, and places in it as people count them |
//! | [`names`] | variables and functions as the user calls them |
//! | [`trace`] | a confirmed trace, statement by statement |
//! | `tree` | traces with branches: derivations |
//! | `call_depth` | how many calls are around a step |
//! | `translated` | traces of translated programs, without what the translator made up |
//! | `pointers` | pointers in these traces, as C would say them |
//! | `values` | values, and what changed about them |
//! | [`cause`] | why a trace violates an assertion |
//! | [`invariants`] | confirmed invariants as text |
//! | [`displayed`] | which proof is shown |
//! | [`pretty`] | formulas as a person would write them |
//! | [`c_expression`] | formulas as expressions of C |
//! | `sv_lib` | what witnesses in SV-LIB say |
//! | [`open`] | what there is to say about open obligations |
//! | [`search`] | how a unit was decided, step by step |
//! | [`stepping`] | a search that somebody follows and takes part in |

pub mod c_expression;
mod call_depth;
pub mod cause;
pub mod displayed;
mod folded;
pub mod invariants;
pub mod names;
pub mod open;
mod pointers;
pub mod pretty;
mod run_step;
pub mod search;
pub mod source;
pub mod stepping;
#[cfg(feature = "svlib")]
mod sv_lib;
pub mod trace;
mod translated;
mod tree;
mod values;

pub use source::{Place, Source};
