//! The verifier's parts together: engines, strategies and the checker, on programs, graphs and paths.

#![allow(unreachable_pub, reason = "modules are shared with benches")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

mod agreement;
mod arrays;
mod bounded;
mod chains;
mod contracts;
mod engines;
mod exchange;
mod heap;
mod interpolants;
mod random;
mod recursion;
mod root;
mod tampered;

use root::root;
