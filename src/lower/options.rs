//! How programs are read.

use ult_lang::hir::Reading;

use super::selection::Selection;

/// What happens at calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum CallPolicy {
    /// Inline callees that have a body and are not recursive, unless the graph gets too large
    #[default]
    Auto,
    /// Inline every callee that has a body and is not recursive
    Inline,
    /// The same, with each body once in the graph: a variable holds the place to return to
    Once,
    /// The same for recursive callees, too: what belongs to an activation lies on a stack. For those who follow traces
    #[cfg_attr(feature = "clap", value(skip))]
    Stack,
    /// Use contracts
    Contract,
}

/// How a program is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What happens at calls.
    pub calls: CallPolicy,
    /// Boogie's own reading: calls through contracts, loops through given invariants only.
    pub modular: bool,
    /// Without `modular`: traces keep all that procedures state of each other, attributes included, as in that reading.
    pub stated: bool,
    /// With `modular`: loops are followed for so many rounds and not further, instead of being cut at their invariants: a reading
    /// with fewer runs than the program has ([`unroll`](super::unroll)). Graphs that get too large by that are cut.
    pub unroll: Option<u32>,
    /// So many activations of a recursive procedure may be inlined inside each other before its
    /// contract is used.
    pub recursion_depth: u32,
    /// So high are the values of recursive datatypes at most, and nothing else is known of them: a reading with fewer runs than the
    /// program has, for runs alone ([`bounded_datatypes`](super::bounded_datatypes)). Without it, there are axioms.
    pub height: Option<u32>,
    /// With [`CallPolicy::Auto`], calls go through contracts once inlined ones have brought so many edges.
    pub inline_limit: usize,
    /// The procedures to start from; empty: `ULTIMATE.start` where it exists, else all with a body.
    pub entries: Vec<String>,
    /// Without `entries`: all procedures with a body that are chosen here, also beside `ULTIMATE.start`.
    pub selection: Option<Selection>,
    /// Where the text of libraries begins, if there is one: procedures from there on are entries only
    /// if `entries` name them. Contracts of theirs that a proof relies on are proved all the same.
    pub library_from: Option<u32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            calls: CallPolicy::Auto,
            modular: false,
            stated: false,
            unroll: None,
            recursion_depth: 0,
            height: None,
            inline_limit: 100_000,
            entries: Vec::new(),
            selection: None,
            library_from: None,
        }
    }
}

impl Options {
    /// What clauses of contracts mean.
    pub fn reading(&self) -> Reading {
        match (self.modular, self.stated) {
            (true, _) => Reading::Modular,
            (false, true) => Reading::Stated,
            (false, false) => Reading::Whole,
        }
    }
}
