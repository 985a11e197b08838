//! The native interpolator: interpolants from a proof of the project's own.

pub mod number;
pub mod simplex;
