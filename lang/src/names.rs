//! Where names are declared and where they are used: for going to definitions, renaming, colours and completion.
//!
//! [`Names`] is about one declaration of a text alone: it resolves the names that are declared inside, and says of all
//! others in which name space they are looked up. So an edit makes the names of the edited declaration anew, and no
//! others. [`Index`] puts the declarations of a text together.
//!
//! It works on syntax trees, whether or not types fit. Of the field in `e->f` only the name is known then: fields of
//! several datatypes with one name are one symbol.

mod index;
mod walk;

use std::sync::Arc;

pub use index::{Found, Index, Symbol};
pub use walk::{of_declaration, of_graph};

use crate::span::Span;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A type constructor or synonym.
    Type,
    /// A datatype.
    Datatype,
    /// A constructor of a datatype.
    Constructor,
    /// A field of a datatype.
    Field,
    /// A type parameter.
    TypeParameter,
    /// A constant.
    Constant,
    /// A global variable.
    Global,
    /// A function.
    Function,
    /// A procedure.
    Procedure,
    /// A parameter of a function, or an in-parameter of a procedure.
    Parameter,
    /// An out-parameter.
    Result,
    /// A local variable, of a body or an edge.
    Local,
    /// A variable bound in an expression, or a name given to a term.
    Bound,
    /// A label.
    Label,
    /// A program graph.
    Graph,
    /// A state variable of a program graph.
    State,
    /// A location of a program graph.
    Location,
}

/// A name space of a text: within one, a name means one thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// Types.
    Type,
    /// Constants and variables.
    Value,
    /// Functions and constructors.
    Callable,
    /// Fields.
    Field,
    /// Procedures.
    Procedure,
    /// Program graphs.
    Graph,
}

/// The declaration of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name.
    pub name: Arc<str>,
    /// What it stands for.
    pub kind: Kind,
    /// The place of the name.
    pub span: Span,
    /// The place of everything that belongs to the declaration.
    pub extent: Span,
    /// Where the name can be used, if not everywhere.
    pub scope: Option<Span>,
    /// The declaration in the words of the language: `var x: int`.
    pub detail: String,
}

/// Where a name occurs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The place.
    pub span: Span,
    /// The name.
    pub name: Arc<str>,
    /// What it refers to.
    pub target: Target,
    /// What happens to it there.
    pub usage: Usage,
}

/// What an occurrence refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Something that is declared at top level, in this name space.
    Global(Space),
    /// Index into [`Names::locals`].
    Local(usize),
}

/// What happens to a name where it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Usage {
    /// It is declared.
    Declared,
    /// It is used.
    Read,
    /// It gets a value.
    Written,
}

/// The names in one declaration of a text, or in one graph, with places relative to its start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// What it declares for the whole text.
    pub globals: Vec<(Space, Declaration)>,
    /// What it declares inside.
    pub locals: Vec<Declaration>,
    /// All names, in the order of their places.
    pub occurrences: Vec<Occurrence>,
}
