//! The syntax tree of both languages, exactly as written: no name is resolved, no type is known, no sugar removed.
//!
//! One type per construct, public fields, every node with its [`Span`]. The Boogie language is that of "This is Boogie
//! 2" (Leino, 2008), of today's Boogie (3.x) and of Ultimate's dialect together; where they differ, the tree keeps what
//! was written and later stages decide.
//!
//! Chains of operators of one precedence level are kept flat ([`ExprKind::Chain`]), as are `else if` chains, so that
//! long chains are no deep trees. What is nested in brackets is nested here, up to [`crate::parse::MAX_NESTING`] levels:
//! recursive walks go through [`crate::stack::ensure_stack`]. Dropping, cloning and comparing trees do so already, and so
//! do the visitors ([`visit`]).

mod expr;
mod graph;
mod program;
mod stmt;
mod types;
pub mod visit;

pub use expr::*;
pub use graph::*;
pub use program::*;
pub use stmt::*;
pub use types::*;

use crate::span::Span;
use std::sync::Arc;

/// A name at one place. Boogie's escape (`\old` for a name that is a keyword) and the graph language's backticks are
/// already removed: two names are the same if their texts are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands, escapes included.
    pub span: Span,
}

impl Ident {
    /// The name at the place.
    pub fn new(name: impl Into<Arc<str>>, span: Span) -> Ident {
        Ident {
            name: name.into(),
            span,
        }
    }
}

/// An attribute `{:name argument, argument}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The name behind the colon.
    pub name: Ident,
    /// The arguments; a string is the literal [`Literal::String`].
    pub args: Vec<Expr>,
    /// From brace to brace.
    pub span: Span,
}

/// Whether one of the attributes has this name.
pub(crate) fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    attributes
        .iter()
        .any(|attribute| &*attribute.name.name == name)
}

/// One group of typed names, `{:attr} x, y: T where e`.
///
/// Used for variables, parameters, bound variables and the fields of datatype constructors. Unnamed parameters of
/// functions have no `names`, and then count as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypedIdents {
    /// Attributes before the group.
    pub attributes: Vec<Attribute>,
    /// The names that share the type.
    pub names: Vec<Ident>,
    /// Their type.
    pub ty: Type,
    /// The condition every value of these variables fulfils at first, if given.
    pub where_clause: Option<Expr>,
    /// The whole group.
    pub span: Span,
}
