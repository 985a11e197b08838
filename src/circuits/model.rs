//! What a circuit says, whatever the format.

use std::sync::Arc;

use ult_core::formula::{Sort, Term, Terms};
use ult_lang::span::Span;

use super::aiger::Aiger;

/// A circuit. Formulas speak of states before the step and of inputs; where it is said, of states
/// after the step.
#[derive(Debug, Default)]
pub(super) struct Model {
    /// The states.
    pub states: Vec<State>,
    /// The inputs: they have any value in each step.
    pub inputs: Vec<Input>,
    /// What else is true of the first state, said of states after a step.
    pub start: Vec<Term>,
    /// What is true of every state and its inputs, up to the bad one and of that one.
    pub always: Vec<Term>,
    /// What else is true of every step, of states before and after it.
    pub step: Vec<Term>,
    /// What must not be the case.
    pub bads: Vec<Bad>,
    /// Where the circuit as such stands in the text.
    pub span: Span,
    /// The file, if it is AIGER.
    pub aiger: Option<Aiger>,
    /// For DimSpec: what its variables are, in their order.
    pub variables: Vec<Term>,
}

/// A part of the state.
#[derive(Debug)]
pub(super) struct State {
    /// What it is called; no other state has this name.
    pub name: Arc<str>,
    /// What values it has.
    pub sort: Sort,
    /// Its first value, of states that have none; without it, any.
    pub init: Option<Term>,
    /// What it is after a step; without it, any value.
    pub next: Option<Term>,
    /// Whether it had a name in the text.
    pub symbol: Option<Arc<str>>,
}

/// An input.
#[derive(Debug)]
pub(super) struct Input {
    /// The auxiliary that stands for it.
    pub term: Term,
    /// What values it has.
    pub sort: Sort,
    /// What the text calls it.
    pub symbol: Option<Arc<str>>,
}

/// Something that must not be the case.
#[derive(Debug)]
pub(super) struct Bad {
    /// In words.
    pub text: Arc<str>,
    /// When it is.
    pub condition: Term,
    /// Where the text says so.
    pub span: Span,
}

impl State {
    /// The state before the step.
    pub(crate) fn current(&self, terms: &Terms) -> Term {
        terms.current(self.name.clone(), self.sort.clone())
    }

    /// The state after the step.
    pub(crate) fn after(&self, terms: &Terms) -> Term {
        terms.next(self.name.clone(), self.sort.clone())
    }
}
