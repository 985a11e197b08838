//! Diagnostics whose places are relative to declarations.

use crate::diagnostic::{Diagnostic, Id, Severity};
use crate::span::Span;

/// A place in a declaration: the declaration's number in the text, and a span relative to its start.
///
/// An edit moves the declarations behind it; places that count from the declaration's own start stay what they are,
/// and so do all results that contain them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Number of the declaration.
    pub item: u32,
    /// Span, relative to the start of the declaration.
    pub span: Span,
}

impl Place {
    /// The span in the text, given where the declarations start.
    pub fn absolute(self, starts: &[u32]) -> Span {
        let start = starts.get(self.item as usize).copied().unwrap_or(0);
        Span {
            start: self.span.start.saturating_add(start),
            end: self.span.end.saturating_add(start),
        }
    }
}

/// A [`Diagnostic`] with relative places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Which kind of message.
    pub id: Id,
    /// Error or warning.
    pub severity: Severity,
    /// One line.
    pub text: String,
    /// Places with short texts; the first one is the primary place.
    pub labels: Vec<(Place, String)>,
    /// What could be done about it.
    pub help: Option<String>,
}

impl Message {
    /// An error at its primary place.
    pub fn error(
        id: Id,
        text: impl Into<String>,
        place: Place,
        label: impl Into<String>,
    ) -> Message {
        Message {
            id,
            severity: Severity::Error,
            text: text.into(),
            labels: vec![(place, label.into())],
            help: None,
        }
    }

    /// A warning at its primary place.
    pub fn warning(
        id: Id,
        text: impl Into<String>,
        place: Place,
        label: impl Into<String>,
    ) -> Message {
        Message {
            severity: Severity::Warning,
            ..Message::error(id, text, place, label)
        }
    }

    /// Adds a further place.
    #[must_use]
    pub fn with_label(mut self, place: Place, label: impl Into<String>) -> Message {
        self.labels.push((place, label.into()));
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Message {
        self.help = Some(help.into());
        self
    }

    /// Sets the help if there is one.
    #[must_use]
    pub fn with_optional_help(mut self, help: Option<String>) -> Message {
        self.help = help.or(self.help);
        self
    }

    /// Whether it rejects the program.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The diagnostic with places in the text, given where the declarations start.
    pub fn to_diagnostic(&self, starts: &[u32]) -> Diagnostic {
        Diagnostic {
            id: self.id,
            severity: self.severity,
            message: self.text.clone(),
            labels: self
                .labels
                .iter()
                .map(|(place, text)| (place.absolute(starts), text.clone()))
                .collect(),
            help: self.help.clone(),
        }
    }
}
