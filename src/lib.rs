//! `ult`: a program verifier.
//!
//! Texts (Boogie programs, program graphs, C, Horn clauses) are checked by [`program::check`]; a
//! program graph that is built with Rust expressions by [`model::Model::check`]; one that was built
//! otherwise by [`verify::verify_unit`]. Nothing here prints, reads files or keeps global state; the
//! command line lives in [`cli`].
//!
//! ```
//! use ult::control::Control;
//! use ult::program::{Board, Conclusion, Language, Settings, Source, check};
//!
//! let text = "procedure p() { var i: int; i := 0; while (i < 10) { i := i + 1; } assert i == 10; }";
//! let source = Source::new("p.bpl", text);
//! let (settings, control) = (Settings::default(), Control::unlimited());
//! let report = check(&source, Language::Boogie, &settings, &control, &Board::default())?;
//! assert_eq!(report.conclusion(), Conclusion::Safe);
//! # Ok::<(), ult::lower::EntryError>(())
//! ```
//!
//! | room | what lives there |
//! |---|---|
//! | [`formula`] | terms, values, evaluation |
//! | [`graph`] | program graphs, evidence, their text and pictures |
//! | [`model`] | program graphs built with Rust expressions |
//! | [`lower`] | typed programs to program graphs |
//! | [`chc`] | Horn clauses in SMT-LIB to program graphs |
//! | [`reduce`] | smaller graphs, with the way back |
//! | [`solver`] | Z3, and other solvers over SMT-LIB |
//! | [`interpolate`] | why an infeasible path is infeasible |
//! | [`invariants`] | cheap invariants, found beforehand |
//! | [`engine`] | the ways to decide a graph |
//! | [`portfolio`] | several engines on one graph |
//! | [`check`] | the only way to a verdict |
//! | [`verify`], [`program`] | one graph, one file |
//! | [`witness`], [`confirm`] | what others can check about C programs, and the compiled program as a second opinion |
//! | [`report`], [`cli`], [`lsp`] | what people, programs and editors see |

pub mod chc;
pub mod check;
pub mod cli;
pub mod confirm;
pub mod control;
pub mod engine;
pub mod formula;
pub mod graph;
pub mod interpolate;
pub mod invariants;
pub mod lower;
pub mod lsp;
pub mod model;
pub mod portfolio;
pub mod program;
pub mod reason;
pub mod reduce;
pub mod report;
pub mod solver;
pub mod stats;
pub mod verify;
pub mod witness;
mod worker;

/// Program graphs inside of Rust, checked by the compiler.
#[cfg(feature = "macros")]
pub use ult_macros::graph;
