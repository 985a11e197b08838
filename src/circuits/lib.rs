//! Circuits in AIGER, BTOR2 and DimSpec as program graphs.
//!
//! A circuit has states, inputs, conditions that every step keeps to, and bad states. Its graph has
//! one location where it stays, with an edge for the step, and an error location for each property
//! that says what is bad. The conditions are demanded of the bad state, too, and of all before it.
//!
//! | file | idea |
//! |---|---|
//! | `words` | lines and words with their places |
//! | `aiger` | AIGER 1.9 in letters |
//! | `binary` | the binary form of AIGER, as the one in letters |
//! | `btor2` | BTOR2: lines, states, properties |
//! | `operators` | BTOR2: what operators mean |
//! | `dimspec` | DimSpec |
//! | `model` | what all of them say |
//! | `graph` | the program graph |
//! | [`certificate`] | verdicts for other tools: runs, and invariants as circuits |
//!
//! The readers are our own: they tell the place of each mistake, and take no memory for what a header only announces. A
//! certificate holds only what the checker confirmed before.

mod aiger;
mod binary;
mod btor2;
pub mod certificate;
mod dimspec;
mod graph;
mod model;
mod operators;
mod words;

#[cfg(test)]
mod tests;

pub use self::binary::{Broken, in_letters};
pub use self::graph::Interface;

use ult_core::formula::Terms;
use ult_lang::diagnostic::{Diagnostic, Messages};
use ult_lower::LoweredUnit;

/// So many messages are told about one text. It was written by a program: the others are alike.
const MOST: usize = 20;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// AIGER 1.9 (Biere, Heljanko, Wieringa: "AIGER 1.9 and Beyond", 2011) in letters; [`in_letters`]
    /// makes that of the binary form.
    Aiger,
    /// BTOR2 (Niemetz, Preiner, Wolf, Biere: "BTOR2, BtorMC and Boolector 3.0", CAV 2018).
    Btor2,
    /// DimSpec (Suda: "DIMSPEC, a format for specifying symbolic transition systems", 2016).
    DimSpec,
}

/// The graph of the circuit in a text, how it hangs together with the circuit, and messages about
/// the text. Nobody may draw a verdict from a text with errors.
pub fn lower(terms: &Terms, text: &str, form: Form) -> (LoweredUnit, Interface, Vec<Diagnostic>) {
    let mut messages = Messages::at_most(MOST);
    let read = match form {
        Form::Aiger => aiger::read(terms, text, &mut messages),
        Form::Btor2 => btor2::read(terms, text, &mut messages),
        Form::DimSpec => dimspec::read(terms, text, &mut messages),
    };
    let diagnostics = messages.finish();
    let model = read.ok().filter(|_| diagnostics.is_empty());
    let (unit, interface) = graph::graph(terms, model.unwrap_or_default(), form);
    (unit, interface, diagnostics)
}
