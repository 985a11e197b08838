//! Terms of `smtlib-lowlevel` with their places.
//!
//! The crate's trees know no places. Beside each tree stands the s-expression of the same text,
//! which does; both have the same shape, so a walk takes the same steps in both.

use std::ops::Range;
use ult_lang::diagnostic::{Id, Messages, Reported};

use smtlib_lowlevel::Storage;
use smtlib_lowlevel::ast::{self, Identifier, QualIdentifier};
use smtlib_lowlevel::lexicon::Symbol;

use ult_smtlib::sexpr::{Expr, Exprs, Node};

/// No expression may be nested deeper. (The same limit as for the other languages.)
const MAX_NESTING: usize = 10_000;

/// What the crate's parser needs of the stack for one level of nesting, at most: 21 KB where it is not optimised.
const STACK_PER_LEVEL: usize = 32 * 1024;

/// The text and its s-expressions.
pub(super) struct Text<'a> {
    /// The text.
    pub text: &'a str,
    /// Its expressions.
    pub exprs: &'a Exprs,
    /// Where trees live.
    pub storage: &'a Storage,
    /// The depth of each expression.
    depths: Vec<usize>,
}

/// A term and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    /// The term.
    pub term: &'a ast::Term<'a>,
    /// Its s-expression.
    pub at: Expr,
}

impl<'a> Text<'a> {
    /// Prepares a text.
    pub(crate) fn new(text: &'a str, exprs: &'a Exprs, storage: &'a Storage) -> Text<'a> {
        Text {
            text,
            exprs,
            storage,
            depths: depths(exprs),
        }
    }

    /// The place of an expression.
    pub(crate) fn place(&self, at: Expr) -> Range<usize> {
        self.exprs.place(at)
    }

    /// The part of a list; the list itself if it has no such part.
    pub(crate) fn part(&self, at: Expr, index: usize) -> Expr {
        let parts = self.exprs.list(at);
        parts
            .and_then(|parts| parts.get(index))
            .copied()
            .unwrap_or(at)
    }

    /// Reads an expression as a term.
    pub(crate) fn term(&self, at: Expr, messages: &mut Messages) -> Result<Tree<'a>, Reported> {
        let term = self.parse(at, messages, |text| {
            ast::Term::parse(self.storage, text).map_err(place_of)
        })?;
        Ok(Tree { term, at })
    }

    /// Reads an expression as a sort.
    pub(crate) fn sort(
        &self,
        at: Expr,
        messages: &mut Messages,
    ) -> Result<ast::Sort<'a>, Reported> {
        self.parse(at, messages, |text| {
            ast::Sort::parse(self.storage, text).map_err(place_of)
        })
    }

    /// Reads an expression as a list of variables with their sorts.
    pub(crate) fn variables(
        &self,
        at: Expr,
        messages: &mut Messages,
    ) -> Result<Vec<(String, ast::Sort<'a>, Expr)>, Reported> {
        let Some(parts) = self.exprs.list(at) else {
            return Err(self.unexpected(at, "a list of variables with their sorts", messages));
        };
        let mut variables = Vec::new();
        let mut failed = None;
        for &part in parts {
            match self.exprs.list(part) {
                Some(&[name, sort]) if self.exprs.symbol(name).is_some() => {
                    match self.sort(sort, messages) {
                        Ok(read) => {
                            let name = self.exprs.symbol(name).unwrap_or_default();
                            variables.push((name.to_owned(), read, part));
                        }
                        Err(reported) => failed = Some(reported),
                    }
                }
                _ => failed = Some(self.unexpected(part, "a variable with its sort", messages)),
            }
        }
        failed.map_or(Ok(variables), Err)
    }

    /// A name that an expression must be.
    pub(crate) fn name(&self, at: Expr, messages: &mut Messages) -> Result<&'a str, Reported> {
        match self.exprs.symbol(at) {
            Some(name) => Ok(name),
            None => Err(self.unexpected(at, "a name", messages)),
        }
    }

    /// Says that something else is needed.
    pub(crate) fn unexpected(&self, at: Expr, needed: &str, messages: &mut Messages) -> Reported {
        messages.error(
            Id::HORN_SYNTAX,
            format!("expected {needed}"),
            self.place(at),
            format!("this is not {needed}"),
        )
    }

    fn parse<T>(
        &self,
        at: Expr,
        messages: &mut Messages,
        parse: impl FnOnce(&str) -> Result<T, Option<Range<usize>>>,
    ) -> Result<T, Reported> {
        let place = self.place(at);
        let depth = self.depths.get(at.index()).copied().unwrap_or(0);
        if depth > MAX_NESTING {
            return Err(messages.error_with_help(
                Id::HORN_LIMIT,
                format!("nested more than {MAX_NESTING} levels deep"),
                place.start..place.start + 1,
                "too deep in here",
                Some("give names to parts of the term with `let`"),
            ));
        }
        let text = self.text.get(place.clone()).unwrap_or_default();
        let stack = (depth + 64) * STACK_PER_LEVEL;
        let result = stacker::maybe_grow(stack, stack, || parse(text));
        result.map_err(|wrong| {
            // A place behind the end means that something is missing there.
            let inside = |wrong: &Range<usize>| wrong.end <= text.len() && !wrong.is_empty();
            let wrong = match wrong.filter(inside) {
                Some(wrong) => place.start + wrong.start..place.start + wrong.end,
                None => place.end.saturating_sub(1)..place.end,
            };
            let token = self.text.get(wrong.clone()).unwrap_or_default();
            messages.error(
                Id::HORN_SYNTAX,
                format!("`{token}` is not expected here"),
                wrong,
                "not expected",
            )
        })
    }
}

/// Where the parser found something that it did not expect.
fn place_of(error: impl miette::Diagnostic) -> Option<Range<usize>> {
    let label = error.labels()?.next()?;
    Some(label.offset()..label.offset() + label.len())
}

/// A name without bars.
pub(super) fn plain<'s>(symbol: &Symbol<'s>) -> &'s str {
    let name = symbol.0;
    let inner = name.strip_prefix('|').and_then(|n| n.strip_suffix('|'));
    inner.unwrap_or(name)
}

/// The plain name that a term or the head of an application is.
pub(super) fn simple<'s>(name: &QualIdentifier<'s>) -> Option<&'s str> {
    match name {
        QualIdentifier::Identifier(Identifier::Simple(symbol)) => Some(plain(symbol)),
        _ => None,
    }
}

/// How deep each expression is nested inside itself; 0 for atoms.
fn depths(exprs: &Exprs) -> Vec<usize> {
    // Parts come before the list that they are in.
    let mut depths: Vec<usize> = Vec::new();
    for expr in exprs.all() {
        depths.push(match exprs.node(expr) {
            Node::List(parts) => {
                let inner = parts.iter().map(|part| depths[part.index()]).max();
                1 + inner.unwrap_or(0)
            }
            _ => 0,
        });
    }
    depths
}
