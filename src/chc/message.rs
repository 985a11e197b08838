//! Messages about Horn clauses: their ids, and how they are collected.

use std::ops::Range;

use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::span::Span;

/// Something is wrong, and there is a message about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported;

/// The messages about a text.
#[derive(Debug, Default)]
pub(super) struct Messages {
    diagnostics: Vec<Diagnostic>,
}

impl Messages {
    /// Adds an error.
    pub(crate) fn error(
        &mut self,
        id: Id,
        message: impl Into<String>,
        place: Range<usize>,
        label: impl Into<String>,
    ) -> Reported {
        self.error_with_help(id, message, place, label, None)
    }

    /// Adds an error with advice.
    pub(crate) fn error_with_help(
        &mut self,
        id: Id,
        message: impl Into<String>,
        place: Range<usize>,
        label: impl Into<String>,
        help: Option<&str>,
    ) -> Reported {
        self.diagnostics.push(Diagnostic {
            id,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![(span(&place), label.into())],
            help: help.map(str::to_owned),
        });
        Reported
    }

    /// Adds a further place to the last message.
    pub(crate) fn also(&mut self, place: Range<usize>, label: impl Into<String>) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.labels.push((span(&place), label.into()));
        }
    }

    /// All messages in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::place);
        self.diagnostics
    }
}

/// A place as the rest of the house has it. Texts are shorter than 4 GiB.
pub(super) fn span(place: &Range<usize>) -> Span {
    let number = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(number(place.start), number(place.end))
}
