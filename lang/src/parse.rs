//! From text to syntax trees.

/// How deeply brackets may be nested.
pub const MAX_NESTING: usize = 10_000;

/// The largest exponent of a decimal or floating-point literal.
pub const MAX_EXPONENT: i32 = 10_000;
