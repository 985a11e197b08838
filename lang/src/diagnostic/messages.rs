//! How messages about a text are collected, by readers that go on behind a mistake.

use super::{Diagnostic, Id, Severity};
use crate::span::Span;

/// Something is wrong, and there is a message about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported;

/// The messages about a text.
#[derive(Debug)]
pub struct Messages {
    diagnostics: Vec<Diagnostic>,
    most: usize,
}

impl Default for Messages {
    fn default() -> Messages {
        Messages::at_most(usize::MAX)
    }
}

impl Messages {
    /// None yet. So many are told: of texts that programs wrote, the others are alike.
    pub fn at_most(most: usize) -> Messages {
        Messages {
            diagnostics: Vec::new(),
            most,
        }
    }

    /// Adds a message.
    pub fn add(&mut self, message: Diagnostic) -> Reported {
        if self.diagnostics.len() < self.most {
            self.diagnostics.push(message);
        }
        Reported
    }

    /// Adds an error.
    pub fn error(
        &mut self,
        id: Id,
        message: impl Into<String>,
        place: impl Into<Span>,
        label: impl Into<String>,
    ) -> Reported {
        self.add(Diagnostic::error(id, message, place.into(), label))
    }

    /// Adds an error with advice.
    pub fn error_with_help(
        &mut self,
        id: Id,
        message: impl Into<String>,
        place: impl Into<Span>,
        label: impl Into<String>,
        help: Option<&str>,
    ) -> Reported {
        let help = help.map(str::to_owned);
        self.add(Diagnostic {
            help,
            ..Diagnostic::error(id, message, place.into(), label)
        })
    }

    /// Adds an error that has several places.
    pub fn errors(
        &mut self,
        id: Id,
        message: impl Into<String>,
        labels: Vec<(Span, String)>,
    ) -> Reported {
        self.add(Diagnostic {
            labels,
            ..Diagnostic::about_file(id, Severity::Error, message)
        })
    }

    /// Adds a warning.
    pub fn warn(
        &mut self,
        id: Id,
        message: impl Into<String>,
        place: impl Into<Span>,
        label: impl Into<String>,
    ) {
        self.add(Diagnostic::warning(id, message, place.into(), label));
    }

    /// Adds a further place to the last message.
    pub fn also(&mut self, place: impl Into<Span>, label: impl Into<String>) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.labels.push((place.into(), label.into()));
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All messages in the order of their places.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::place);
        self.diagnostics
    }
}
