//! Tests of what is told about a file while it is worked on.

mod attempts;
mod events;
mod trust;
