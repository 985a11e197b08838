//! Messages about Horn clauses: their ids, and how they are collected.

use std::ops::Range;

use ult_lang::diagnostic::Severity;
use ult_lang::span::Span;

use crate::program::Notice;

/// The text is not what SMT-LIB's grammar allows.
pub(super) const SYNTAX: &str = "E0501";
/// A name that nothing declares.
pub(super) const UNKNOWN_NAME: &str = "E0502";
/// A name that is declared twice.
pub(super) const DECLARED_TWICE: &str = "E0503";
/// Arguments of the wrong number or sorts.
pub(super) const SORTS: &str = "E0504";
/// SMT-LIB, but nothing that can be read here.
pub(super) const NOT_SUPPORTED: &str = "E0505";
/// A formula that is no Horn clause.
pub(super) const NOT_HORN: &str = "E0506";
/// A text beyond the limits.
pub(super) const LIMIT: &str = "E0507";

/// Something is wrong, and there is a message about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported;

/// The messages about a text.
#[derive(Debug, Default)]
pub(super) struct Messages {
    notices: Vec<Notice>,
}

impl Messages {
    /// Adds an error.
    pub fn error(
        &mut self,
        id: &'static str,
        message: impl Into<String>,
        place: Range<usize>,
        label: impl Into<String>,
    ) -> Reported {
        self.error_with_help(id, message, place, label, None)
    }

    /// Adds an error with advice.
    pub fn error_with_help(
        &mut self,
        id: &'static str,
        message: impl Into<String>,
        place: Range<usize>,
        label: impl Into<String>,
        help: Option<&str>,
    ) -> Reported {
        self.notices.push(Notice {
            id,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![(span(&place), label.into())],
            help: help.map(str::to_owned),
        });
        Reported
    }

    /// Adds a further place to the last message.
    pub fn also(&mut self, place: Range<usize>, label: impl Into<String>) {
        if let Some(last) = self.notices.last_mut() {
            last.labels.push((span(&place), label.into()));
        }
    }

    /// All messages in the order of their places.
    pub fn finish(mut self) -> Vec<Notice> {
        self.notices.sort_by_key(Notice::span);
        self.notices
    }
}

/// A place as the rest of the house has it. Texts are shorter than 4 GiB.
pub(super) fn span(place: &Range<usize>) -> Span {
    let number = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(number(place.start), number(place.end))
}
