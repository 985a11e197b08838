//! The program-graph language: the text form of the core data structure.

use super::{Attribute, Decl, Expr, Ident, Type, TypedIdents};
use crate::span::Span;

/// A file of the graph language: rigid symbols, and graphs over them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphFile {
    /// Types, datatypes, constants, functions and axioms, as in Boogie; nothing else.
    pub decls: Vec<Decl>,
    /// The graphs.
    pub graphs: Vec<Graph>,
}

/// `graph {:attr} NAME { ... }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// `var x, y: int;`: its state variables. A `where` clause is not allowed here and already reported.
    pub vars: Vec<TypedIdents>,
    /// The declared locations. Others come into being by edges that mention them.
    pub locations: Vec<LocationDecl>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The whole graph.
    pub span: Span,
}

/// `init start;`, `location loop "head";`, `error bad "assertion may be violated";`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationDecl {
    /// Which kind of location.
    pub kind: LocationKind,
    /// Attributes behind the keyword.
    pub attributes: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its description.
    pub description: Option<String>,
    /// The whole declaration.
    pub span: Span,
}

/// The kinds of locations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    /// Runs start here.
    Init,
    /// Nothing special.
    Plain,
    /// Runs must not come here.
    Error,
}

/// `from -> to: e;` or `from -> to { local a: int; havoc m; let d := e; f }`: a transition.
///
/// Its formula relates the state before (`x`) to the state behind (`x'`). A variable that occurs nowhere primed and is
/// not in `havocs` keeps its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Attributes, written before the semicolon or brace: `a -> b {:line 12} ...`.
    pub attributes: Vec<Attribute>,
    /// Where it starts.
    pub from: Ident,
    /// Where it leads.
    pub to: Ident,
    /// Existentially quantified auxiliary variables, visible in this edge only.
    pub locals: Vec<LocalGroup>,
    /// State variables that may take any value, unless the formula says more.
    pub havocs: Vec<Ident>,
    /// Names for shared sub-formulas; each sees the ones before it.
    pub lets: Vec<LetBinding>,
    /// The transition formula; `None` is `true`.
    pub formula: Option<Expr>,
    /// The whole edge.
    pub span: Span,
}

/// `local a, b: int;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalGroup {
    /// The names.
    pub names: Vec<Ident>,
    /// Their type.
    pub ty: Type,
    /// The whole declaration.
    pub span: Span,
}

/// `let d := e;`, where `e` has any type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LetBinding {
    /// The name.
    pub name: Ident,
    /// What it stands for.
    pub value: Expr,
    /// The whole binding.
    pub span: Span,
}
