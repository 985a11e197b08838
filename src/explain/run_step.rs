//! Steps of traces, in the terms of the source.

use std::sync::Arc;

use ult_lang::span::Span;

use super::cause::Cause;

/// A step of a run, in the terms of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The place of the statement or condition.
    pub span: Span,
    /// The procedure that the place belongs to.
    pub procedure: Arc<str>,
    /// How many inlined calls are around it.
    pub depth: usize,
    /// The statement or condition, in one line.
    pub statement: String,
    /// What there is to say about it: which way a condition went.
    pub remark: Option<String>,
    /// The variables that the step changed, with their new values, in the order of declaration.
    pub changes: Vec<(String, String)>,
    /// Whether the step tells the reader little: a jump, an assertion that held.
    pub minor: bool,
    /// Whether this is where the obligation is violated.
    pub violation: bool,
    /// For C: a call of a function without a body, and what it returned.
    pub input: Option<(Span, String)>,
    /// For C: variables that it reads and that have arbitrary values, each with the place that made it so: its declaration,
    /// or the call in [`RunStep::input`] whose result it is.
    pub unset: Vec<(String, Span)>,
    /// Whether it stands for all that the invariants of a loop or the contract of a procedure allow.
    pub abstracted: bool,
    /// Of the step where the obligation is violated: why it is.
    pub cause: Option<Cause>,
    /// How many steps of a very long run between the one before and this one are not told.
    pub left_out: u64,
    /// For SV-LIB, where a witness is wanted: what the run chooses there.
    #[cfg(feature = "svlib")]
    pub chosen: Option<ult_svlib::witness::write::Choice>,
}

impl RunStep {
    /// The statement and what there is to say about it.
    pub fn text(&self) -> String {
        match &self.remark {
            Some(remark) => format!("{} -- {remark}", self.statement),
            None => self.statement.clone(),
        }
    }
}
