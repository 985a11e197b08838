//! Tests of the solver room.

mod incremental;
mod models;
