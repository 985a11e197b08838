//! Evidence that was found once, kept to be checked again instead of being looked for again.
//!
//! What is kept is a claim, never a verdict: the formulas of a proof, the steps of a run, contracts that were inferred.
//! Whoever takes it out of a [`Store`] has it judged by the checker exactly as if an engine had just claimed it. So
//! nothing here has to be right for a verdict to be: an entry that is damaged, forged, out of date or about another program
//! costs the time of a check and nothing else.
//!
//! An entry is found by its [`Key`], a digest of what the evidence is about: the unreduced program graph of one unit, with
//! the axioms that matter to it. Places in the text, numbers of terms and what else the program declares have no
//! influence, so that an edit elsewhere costs no proof. Options have none either but by way of the graph: how a program is
//! read shows in it, and a claim is as good whoever found it.
//!
//! | file | idea |
//! |---|---|
//! | [`digest`] | which graphs are the same for somebody who has a proof |
//! | [`evidence`] | what is kept about one graph, as text and back |
//! | [`formulas`] | several formulas, as text and back |
//! | [`scope`] | the symbols that a text may name |
//! | `write`, `read`, `values` | sorts, terms and values, one per line, each before its users |
//! | [`store`] | where entries are, and for how long |
//! | `folder` | entries as files |
//!
//! The text of an entry has one term a line, so that it is as long as the formulas have nodes. The reader takes symbols from the
//! graph only, checks all sorts, needs no recursion, and has limits.

pub mod digest;
pub mod evidence;
mod folder;
pub mod formulas;
mod read;
pub mod scope;
pub mod store;
mod values;
mod write;

#[cfg(test)]
mod tests;

pub use digest::Key;
pub use evidence::Evidence;
pub use scope::Scope;
pub use store::{Notice, Store};

/// The version of the text form, and of what keys are made of. Entries of another one are not read.
pub const VERSION: u32 = 1;

/// Entries are no longer than this, in bytes. What would be longer is not kept.
pub const MAX_ENTRY: usize = 16 << 20;

/// What is wrong with the text of an entry, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt(pub String);

impl Corrupt {
    pub(crate) fn new(what: impl Into<String>) -> Corrupt {
        Corrupt(what.into())
    }
}

impl std::fmt::Display for Corrupt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
