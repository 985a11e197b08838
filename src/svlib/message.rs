//! Messages about SV-LIB: how they are collected.

use std::ops::Range;

use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::span::Span;

/// Something is wrong, and there is a message about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reported;

/// The messages about a text.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    diagnostics: Vec<Diagnostic>,
}

impl Messages {
    /// Adds an error.
    pub(crate) fn error(
        &mut self,
        id: Id,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Reported {
        self.add(Severity::Error, id, message.into(), span, label.into());
        Reported
    }

    /// Adds a warning.
    pub(crate) fn warn(
        &mut self,
        id: Id,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) {
        self.add(Severity::Warning, id, message.into(), span, label.into());
    }

    fn add(&mut self, severity: Severity, id: Id, message: String, span: Span, label: String) {
        self.diagnostics.push(Diagnostic {
            id,
            severity,
            message,
            labels: vec![(span, label)],
            help: None,
        });
    }

    /// Adds a further place to the last message.
    pub(crate) fn also(&mut self, span: Span, label: impl Into<String>) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.labels.push((span, label.into()));
        }
    }

    /// All messages in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::place);
        self.diagnostics
    }
}

/// A place as the rest of the house has it. Texts are shorter than 4 GiB.
pub(crate) fn span(place: &Range<usize>) -> Span {
    let number = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(number(place.start), number(place.end))
}
