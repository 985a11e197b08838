//! Declarations of the typed program.

use super::{
    Attribute, Bound, ConstantId, Expr, GlobalId, ImplementationId, Label, LocalId, ProcedureId,
    Stmt, Type, TypeVarId,
};
use crate::span::Span;

/// A typed Boogie program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Types, constants, functions and axioms.
    pub background: Background,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Procedures, each with its contract. A procedure with a body has an implementation too.
    pub procedures: Vec<Procedure>,
    /// Bodies of procedures; a procedure may have none, one or several.
    pub implementations: Vec<Implementation>,
}

/// The part of a program that no run can change: types, rigid symbols, and what is assumed about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Background {
    /// Uninterpreted type constructors.
    pub types: Vec<TypeConstructor>,
    /// Datatypes.
    pub datatypes: Vec<Datatype>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Axioms.
    pub axioms: Vec<Axiom>,
}

/// `type name _ _;`
#[derive(Clone, Debug, PartialEq)]
pub struct TypeConstructor {
    /// The name.
    pub name: String,
    /// How many arguments it takes.
    pub arity: usize,
    /// `{:attribute ...}`; `{:builtin "Name"}` and `{:indices 5, 11}` name a sort of the solver.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// A type parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeParameter {
    /// Its id, unique in the program.
    pub id: TypeVarId,
    /// The name.
    pub name: String,
    /// The place of the name.
    pub span: Span,
}

/// `datatype name<T> { Constructor(field: T), ... }`
#[derive(Clone, Debug, PartialEq)]
pub struct Datatype {
    /// The name.
    pub name: String,
    /// Its type parameters.
    pub type_params: Vec<TypeParameter>,
    /// The constructors, in order.
    pub constructors: Vec<Constructor>,
    /// The fields of all constructors; a field name that several constructors use is one field.
    pub fields: Vec<Field>,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    /// The name.
    pub name: String,
    /// Its fields, in order: indices into [`Datatype::fields`].
    pub fields: Vec<usize>,
    /// The place of the name.
    pub span: Span,
}

/// A field of a datatype.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Its type, over the type parameters of the datatype.
    pub ty: Type,
    /// Where it is: pairs of constructor index and position in that constructor.
    pub positions: Vec<(usize, usize)>,
    /// The place of the (first) name.
    pub span: Span,
}

/// `const unique name: ty extends parents complete;`
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it differs from all other unique constants of its type.
    pub unique: bool,
    /// What is declared about its place in the partial order `<:`, if anything.
    pub order: Option<ConstantOrder>,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// The place of a constant in the partial order `<:`.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantOrder {
    /// The direct parents (the constants listed after `extends`, or `<:`) and whether the edge is `unique`. `None`:
    /// nothing is said about the parents.
    pub parents: Option<Vec<(ConstantId, bool)>>,
    /// Whether all direct children are known (`complete`).
    pub complete: bool,
}

/// `function name<T>(params) returns (result) { body }`
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// Its type parameters.
    pub type_params: Vec<TypeParameter>,
    /// The parameters; the body means them by [`super::VarRef::Bound`].
    pub params: Vec<Bound>,
    /// The type of the value.
    pub result: Type,
    /// The definition, if there is one.
    pub body: Option<Expr>,
    /// `{:attribute ...}`; `{:builtin "f"}` and `{:bvbuiltin "f"}` name a function of the solver.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// `axiom formula;`
#[derive(Clone, Debug, PartialEq)]
pub struct Axiom {
    /// A bool over constants and functions only.
    pub formula: Expr,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the declaration.
    pub span: Span,
}

/// `var name: ty where clause;` outside of procedures.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What is assumed whenever its value is unknown.
    pub where_clause: Option<Expr>,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// A procedure: signature and contract. The contract means the parameters by [`super::VarRef::Local`].
#[derive(Clone, Debug, PartialEq)]
pub struct Procedure {
    /// The name.
    pub name: String,
    /// Its type parameters.
    pub type_params: Vec<TypeParameter>,
    /// In-parameters: [`LocalId`]s from 0 on.
    pub ins: Vec<Variable>,
    /// Out-parameters: the [`LocalId`]s after the ins.
    pub outs: Vec<Variable>,
    /// Preconditions.
    pub requires: Vec<Condition>,
    /// Postconditions; they may use `old`.
    pub ensures: Vec<Condition>,
    /// All globals the procedure may change, in order of declaration: the declared ones and, where its `modifies`
    /// clauses are incomplete (there is a warning then), what its implementations change beyond them, also through
    /// calls.
    pub modifies: Vec<GlobalId>,
    /// The globals of its `modifies` clauses, in order of declaration.
    pub declared_modifies: Vec<GlobalId>,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// Its implementations.
    pub implementations: Vec<ImplementationId>,
    /// The place of the name.
    pub span: Span,
}

/// A body of a procedure.
///
/// Its type parameters are those of the procedure, whatever they are called there.
#[derive(Clone, Debug, PartialEq)]
pub struct Implementation {
    /// The procedure it belongs to.
    pub procedure: ProcedureId,
    /// In-parameters with the names they have here: [`LocalId`]s from 0 on. The where clauses are the procedure's.
    pub ins: Vec<Variable>,
    /// Out-parameters with the names they have here: the [`LocalId`]s after the ins.
    pub outs: Vec<Variable>,
    /// Local variables: the [`LocalId`]s after the outs.
    pub locals: Vec<Variable>,
    /// The labels of the body.
    pub labels: Vec<Label>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// `{:attribute ...}`; for a procedure with a body, those of the procedure.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
    /// The place of the closing brace, where the implicit `return` is.
    pub end: Span,
}

/// A parameter or local variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What is assumed whenever its value is unknown.
    pub where_clause: Option<Expr>,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// A `requires`, `ensures` or `invariant` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// A bool.
    pub expr: Expr,
    /// Whether it is `free`: assumed, never checked.
    pub free: bool,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the clause.
    pub span: Span,
}

impl Procedure {
    /// The parameter with this id, if it is one.
    pub fn parameter(&self, id: LocalId) -> Option<&Variable> {
        self.ins.iter().chain(&self.outs).nth(id.index())
    }
}

impl Implementation {
    /// The variable with this id: an in-parameter, an out-parameter or a local.
    pub fn variable(&self, id: LocalId) -> Option<&Variable> {
        self.ins
            .iter()
            .chain(&self.outs)
            .chain(&self.locals)
            .nth(id.index())
    }
}
