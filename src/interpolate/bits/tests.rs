//! Chains over bit-vectors, and random terms.

mod chains;
mod random;
