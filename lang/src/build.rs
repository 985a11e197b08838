//! Typed programs built in Rust: the way into [`crate::hir`] for translators from other languages, without a text.
//!
//! * [`term`]: expressions. Every operation looks at the types of its operands when the expression is made.
//! * [`body`]: the body of a procedure, statement by statement.
//! * [`program`]: declarations. What a procedure may modify is worked out from the bodies.
//!
//! A mistake of the translator (operands of the wrong types, a name that was not declared) does not panic: the built
//! program is then refused as a whole, with the mistake in words ([`Misfit`]).

pub mod body;
pub mod program;
pub mod term;

pub use body::BodyBuilder;
pub use program::{ProgramBuilder, Variable};
pub use term::Term;

/// What a translator did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit(pub String);
