//! BenchExec: task lists as its task definitions and benchmark definitions, and its results as tables.

pub(crate) mod definitions;
pub(crate) mod results;
