//! What a text has said so far.

use ult_lang::diagnostic::{Id, Messages, Reported};
use ult_lang::span::Span;
use ult_smtlib::sexpr::{Expr, Exprs};

use crate::names::Names;
use crate::program::{Procedure, VerifyCall};
use crate::trace::Trace;

/// Reads one text.
pub(crate) struct Reader<'a> {
    pub exprs: &'a Exprs,
    pub names: Names,
    pub messages: Messages,
    pub procedures: Vec<Procedure>,
    pub calls: Vec<VerifyCall>,
    /// The trace that the verification is restricted to.
    pub trace: Option<Trace>,
    /// Tags that `at` mentions, with the procedure and the place.
    pub tags_asked: Vec<(String, usize, Span)>,
    /// What makes the whole text one that cannot be verified.
    pub unsupported: Vec<(&'static str, Span)>,
}

impl<'a> Reader<'a> {
    /// Nothing is read yet.
    pub(crate) fn new(exprs: &'a Exprs) -> Reader<'a> {
        Reader {
            exprs,
            names: Names::default(),
            messages: Messages::default(),
            procedures: Vec::new(),
            calls: Vec::new(),
            trace: None,
            tags_asked: Vec::new(),
            unsupported: Vec::new(),
        }
    }

    /// The procedure of this name.
    pub(crate) fn procedure(&self, name: &str) -> Option<usize> {
        self.procedures.iter().position(|p| p.name == name)
    }

    /// A symbol that may be declared.
    pub(crate) fn symbol(&mut self, at: Expr) -> Result<String, Reported> {
        match self.exprs.symbol(at) {
            Some(name) if name.starts_with('#') => {
                Err(self.syntax("names that begin with `#` are reserved", at))
            }
            Some(name) => Ok(name.to_owned()),
            None => Err(self.syntax("a name is expected here", at)),
        }
    }

    /// Indices, as in `(_ extract 7 0)`.
    pub(crate) fn numbers(&self, indices: &[Expr]) -> Option<Vec<u32>> {
        indices
            .iter()
            .map(|&index| self.exprs.index(index))
            .collect()
    }

    // --- messages -----------------------------------------------------------------------------

    pub(crate) fn error(
        &mut self,
        id: Id,
        message: impl Into<String>,
        at: Expr,
        label: &str,
    ) -> Reported {
        let span = self.span(at);
        self.messages.error(id, message, span, label)
    }

    pub(crate) fn syntax(&mut self, what: &str, at: Expr) -> Reported {
        self.error(Id::SVLIB_SYNTAX, what, at, "this is no SV-LIB")
    }

    pub(crate) fn unknown(&mut self, what: &str, name: &str, at: Expr) -> Reported {
        let message = format!("there is no {what} `{name}`");
        self.error(Id::SVLIB_UNKNOWN_NAME, message, at, "not declared")
    }

    pub(crate) fn sorts(&mut self, message: impl Into<String>, at: Expr, label: &str) -> Reported {
        self.error(Id::SVLIB_SORTS, message, at, label)
    }

    pub(crate) fn not_supported(&mut self, what: &str, at: Expr) -> Reported {
        let message = format!("{what} cannot be read here");
        self.error(Id::SVLIB_NOT_SUPPORTED, message, at, "not supported")
    }
}

/// All of them. What is wrong with one does not hide what is wrong with the others.
pub(crate) fn all_of<T>(
    results: impl Iterator<Item = Result<T, Reported>>,
) -> Result<Vec<T>, Reported> {
    let (mut found, mut failed) = (Vec::with_capacity(results.size_hint().0), None);
    for result in results {
        match result {
            Ok(one) => found.push(one),
            Err(reported) => failed = Some(reported),
        }
    }
    failed.map_or(Ok(found), Err)
}
