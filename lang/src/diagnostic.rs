//! Messages about the source text and about its verification, as plain data: one type for all languages.
//!
//! How they look (terminal, editor, JSON) is decided elsewhere; here they have an id, a place and words.

mod ids;
mod messages;

pub use ids::{DiagnosticInfo, Id, TABLE};
pub use messages::{Messages, Reported};

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program is accepted, but probably not what was meant.
    Warning,
}

/// One message about the source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Which kind of message; `ult explain` shows its page.
    pub id: Id,
    /// Error or warning.
    pub severity: Severity,
    /// One line, without a full stop, in the words of the language.
    pub message: String,
    /// Places with short texts. The first one is the primary place. Only messages about a file as a whole have none.
    pub labels: Vec<(Span, String)>,
    /// What could be done about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at its primary place, with a short text for that place.
    pub fn error(
        id: Id,
        message: impl Into<String>,
        place: Span,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            id,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![(place, label.into())],
            help: None,
        }
    }

    /// A warning at its primary place, with a short text for that place.
    pub fn warning(
        id: Id,
        message: impl Into<String>,
        place: Span,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(id, message, place, label)
        }
    }

    /// A message about a file as a whole.
    pub fn about_file(id: Id, severity: Severity, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            id,
            severity,
            message: message.into(),
            labels: Vec::new(),
            help: None,
        }
    }

    /// Adds a further place.
    #[must_use]
    pub fn with_label(mut self, place: Span, label: impl Into<String>) -> Diagnostic {
        self.labels.push((place, label.into()));
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The primary place; where there is none, the beginning of the text.
    pub fn span(&self) -> Span {
        self.place().unwrap_or_default()
    }

    /// The primary place, if there is one.
    pub fn place(&self) -> Option<Span> {
        self.labels.first().map(|label| label.0)
    }

    /// Whether it rejects the program.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
