//! Random programs about expressions.

use super::program::Program;

/// The program with this number.
pub fn program(_seed: u64, _is_32_bit: bool) -> Program {
    Program::default()
}
