//! What lowering cannot express.

use ult_lang::span::Span;

/// A construct that formulas cannot express: what, in words, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnsupportedExpr {
    /// What it is: "the operator `<:`".
    pub what: String,
    /// Where it is.
    pub span: Span,
}

impl UnsupportedExpr {
    /// The construct `what` at `span`.
    pub fn new(what: impl Into<String>, span: Span) -> UnsupportedExpr {
        UnsupportedExpr {
            what: what.into(),
            span,
        }
    }
}
