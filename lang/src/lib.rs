//! The front end: from text to typed programs, with diagnostics.

pub mod hir;
pub mod span;
