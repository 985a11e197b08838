//! What is known where a formula is translated.

use std::collections::HashMap;

use super::linear::Range;
use super::to_integers::Value;
use ult_core::formula::Term;

/// Bounds that hold at some place of a formula, and what was translated under them.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// Better bounds of integer terms than those that their form tells.
    pub(super) known: HashMap<Term, Range>,
    /// The bounds of terms asked for so far.
    pub(super) ranges: HashMap<Term, Range>,
    /// The terms translated so far.
    pub(super) values: HashMap<Term, Value>,
}

impl Context {
    /// The same bounds, nothing translated yet.
    pub(super) fn without_memo(&self) -> Context {
        Context {
            known: self.known.clone(),
            ..Context::default()
        }
    }

    /// Replaces the range of a term by a smaller one. Whether that is news; contradictions are
    /// not: what holds under them does not matter.
    pub(super) fn narrow(&mut self, term: Term, old: &Range, new: Range) -> bool {
        if new == *old || new.is_empty() {
            return false;
        }
        self.known.insert(term, new);
        self.ranges.clear();
        true
    }

    /// States the range of a term that no range was asked for yet.
    pub(super) fn note(&mut self, term: Term, range: Range) {
        self.known.entry(term).or_insert(range);
        self.ranges.remove(&term);
    }
}
