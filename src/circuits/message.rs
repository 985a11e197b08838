//! Messages about circuits: how they are collected.

use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::span::Span;

/// Something is wrong, and there is a message about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported;

/// So many messages are told about one text. It was written by a program: the others are alike.
const MOST: usize = 20;

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
        span: Span,
        label: impl Into<String>,
    ) -> Reported {
        self.errors(id, message, vec![(span, label.into())])
    }

    /// Adds an error that has several places.
    pub(crate) fn errors(
        &mut self,
        id: Id,
        message: impl Into<String>,
        labels: Vec<(Span, String)>,
    ) -> Reported {
        if self.diagnostics.len() < MOST {
            self.diagnostics.push(Diagnostic {
                id,
                severity: Severity::Error,
                message: message.into(),
                labels,
                help: None,
            });
        }
        Reported
    }

    /// Whether there is any.
    pub(crate) fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All messages in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::place);
        self.diagnostics
    }
}
