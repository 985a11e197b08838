//! Tests of what is told about a file while it is worked on.

mod events;
mod ledger;
mod trust;
