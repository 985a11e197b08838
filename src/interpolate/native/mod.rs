//! The native interpolator: interpolants from a proof of the project's own.

pub mod diophantine;
pub mod number;
pub mod simplex;
