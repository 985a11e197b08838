//! What lowering cannot express.

use ult_lang::span::Span;

/// A construct that formulas cannot express: what, in words, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unsuited {
    /// What it is: "the operator `<:`".
    pub what: String,
    /// Where it is.
    pub span: Span,
}

impl Unsuited {
    /// The construct `what` at `span`.
    pub fn new(what: impl Into<String>, span: Span) -> Unsuited {
        Unsuited {
            what: what.into(),
            span,
        }
    }
}
