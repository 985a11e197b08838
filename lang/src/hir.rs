//! The typed program: what a source text means once its names are resolved and its types are known.
//!
//! Everything here is plain owned data. Names are replaced by ids that index the vectors of [`Program`] (or of
//! [`Background`], the part which Boogie programs and graph programs share), type synonyms are expanded, every
//! expression carries its type, and every node carries the [`Span`](crate::span::Span) of the text it was made from.
//!
//! * [`program`]: Boogie programs: globals, procedures, implementations.
//! * [`expr`]: expressions and their literals.
//! * [`stmt`]: statements, still structured.
//! * [`types`]: types, with synonyms expanded.
//! * [`graph`]: the typed form of program-graph texts.
//! * [`visit`]: visitors of all of these.
//! * [`well_founded`]: which datatypes have values.
//!
//! A program that had errors still yields a typed program: erroneous expressions are [`ExprKind::Error`] of type
//! [`Type::Error`]. Nobody may draw a verdict from a program whose diagnostics contain an error.

pub mod contracts;
pub mod expr;
pub mod graph;
pub mod program;
pub mod stmt;
pub mod types;
pub mod visit;
pub mod well_founded;

pub use contracts::{Callee, Meaning, Reading};
pub use expr::{
    Attribute, AttributeArgument, BinaryOp, Bound, Expr, ExprKind, FloatLiteral, NaryOp,
    QuantifierKind, RoundingMode, Trigger, VarRef,
};
pub use graph::{Edge, EdgeLet, EdgeLocal, Graph, GraphProgram, GraphVariable, Location};
pub use program::{
    Axiom, Background, Condition, Constant, ConstantOrder, Constructor, Datatype, Field, Function,
    Global, Implementation, Procedure, Program, TypeConstructor, TypeParameter, Variable,
};
pub use stmt::{Label, Stmt, StmtKind};
pub use types::{MapType, Type};

/// Declares an index type of one of the vectors of the typed program.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into the vector it belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the element at `index`.
            ///
            /// No program has 2^32 declarations (its text would be larger than a span can address), so the
            /// conversion saturates instead of failing.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }
    };
}

id! {
    /// Index into [`Background::types`].
    TypeId
}
id! {
    /// Index into [`Background::datatypes`].
    DatatypeId
}
id! {
    /// Index into [`Background::constants`].
    ConstantId
}
id! {
    /// Index into [`Background::functions`].
    FunctionId
}
id! {
    /// Index into [`Program::globals`].
    GlobalId
}
id! {
    /// Index into [`Program::procedures`].
    ProcedureId
}
id! {
    /// Index into [`Program::implementations`].
    ImplementationId
}
id! {
    /// A variable of a procedure. One numbering: first the ins, then the outs, then the locals of the implementation.
    ///
    /// A contract of the procedure and the body of its implementation therefore mean the same variable by the same
    /// id, even where the implementation gives the parameters other names.
    LocalId
}
id! {
    /// A variable bound by a quantifier, a lambda, a let, or a function's parameter list; unique in the program. (Only
    /// where an assignment to a part of a value makes copies of an expression, the copies bind the same ids.)
    BoundId
}
id! {
    /// A type parameter of a function, procedure, datatype, map type or quantifier; unique in the program.
    TypeVarId
}
id! {
    /// An `if` or `while` statement, the possible targets of `break`; unique in its implementation.
    BlockId
}
id! {
    /// Index into [`Implementation::labels`].
    LabelId
}
id! {
    /// Index into [`Graph::variables`].
    GraphVariableId
}
id! {
    /// Index into [`Graph::locations`].
    LocationId
}
id! {
    /// Index into [`Edge::locals`].
    EdgeLocalId
}
id! {
    /// Index into [`Edge::lets`].
    EdgeLetId
}
