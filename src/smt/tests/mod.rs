//! Tests of the solver room.

mod chains;
mod floats;
mod incremental;
mod models;
mod projection;
mod random;
mod sequences;
mod systems;
