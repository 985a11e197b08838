//! The front end of `ult`: the Boogie language and the program-graph language, from text to typed programs.
//!
//! Text becomes tokens, tokens a syntax tree ([`ast`]), the tree a typed program. Every stage returns its result
//! together with [`diagnostic::Diagnostic`]s and never stops at the first mistake. The crate knows no solver, no files
//! and no terminal.
//!
//! | module | idea |
//! |---|---|
//! | `token`, `parse`, `ast` | tokens and syntax trees; the actions of the grammars (folder `grammar`) only build trees |
//! | `resolve`, `typing`, `hir` | names, types, and the typed program |
//! | `analyze` | all steps at once, for one text |
//! | `db` | the same steps as queries, for editors: an edit redoes only what depends on it (feature `incremental`) |
//! | `build` | typed programs made in Rust, for translators |
//! | `print`, `format` | trees as text; a text in its usual layout |
//! | `names` | where names are declared and used, for editors |
//! | `diagnostic` | messages |
//! | `conditional` | Boogie's `#if` |
//! | `shake` | the same program written in another way |
//! | `visit`, `stack` | walks over trees |
//!
//! Code that goes through trees uses the visitors (`ast::visit`, `hir::visit`). Code that translates, such as `typing` and the
//! printers, matches on every kind of node.

mod analyze;
pub mod ast;
pub mod build;
pub mod conditional;
#[cfg(feature = "incremental")]
pub mod db;
pub mod diagnostic;
pub mod format;
pub mod hir;
pub mod names;
pub mod parse;
pub mod print;
pub mod resolve;
mod shake;
pub mod span;
pub mod stack;
pub mod token;
pub mod typing;
mod visit;

pub use analyze::{analyze_boogie, analyze_boogie_permuted, analyze_boogie_with, analyze_graph};
pub use typing::Modifies;

/// Lets the tests run the program in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
