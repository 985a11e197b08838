//! Tests of what is told about a file while it is worked on, and of circuits from file to file.

mod attempts;
#[cfg(feature = "circuits")]
mod circuits;
mod events;
mod trust;
