//! Tests of what is told about a file while it is worked on, of what is kept about it, and of circuits from file to file.

mod attempts;
#[cfg(feature = "circuits")]
mod circuits;
mod events;
mod keep;
mod trust;
