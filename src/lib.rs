//! `ult`: a program verifier.

pub mod check;
pub mod cli;
pub mod control;
pub mod engine;
pub mod formula;
pub mod graph;
pub mod interpolate;
pub mod invariants;
pub mod lower;
pub mod program;
pub mod reason;
pub mod reduce;
pub mod report;
pub mod solver;
pub mod stats;
pub mod verify;
