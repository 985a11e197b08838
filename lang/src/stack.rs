//! Recursion over trees whose depth the user decides.

/// Runs `f` with enough stack for one more level of recursion, on a fresh piece of heap memory if need be.
///
/// Every recursive walk over expressions, types or statements goes through this function once per level. The parser's
/// nesting limit ([`crate::parse::MAX_NESTING`]) bounds the depth by brackets, which is more than a thread's stack holds.
pub fn ensure_stack<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, f)
}
