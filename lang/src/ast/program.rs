//! Boogie programs and their declarations.

use super::{Attribute, Block, Expr, Ident, Type, TypedIdents};
use crate::span::Span;

/// A Boogie program: the declarations of one text in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The declarations.
    pub decls: Vec<Decl>,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decl {
    /// `type T a b, S = int;`
    Type(TypeDecl),
    /// `datatype T<a> { C(x: int), D() }`
    Datatype(DatatypeDecl),
    /// `const unique c, d: int;`
    Const(ConstDecl),
    /// `function f(x: int) returns (int) { x }`
    Function(FunctionDecl),
    /// `axiom e;`
    Axiom(AxiomDecl),
    /// `var x, y: int where x > 0, z: bool;`, global or local
    Var(VarDecl),
    /// `procedure P(x: int) returns (y: int) requires ...; { ... }`
    Procedure(ProcedureDecl),
    /// `implementation P(x: int) returns (y: int) { ... }`
    Implementation(ImplementationDecl),
    /// Something that could not be read; a diagnostic says so.
    Error(Span),
}

/// `type {:attr} finite T a b, S = int;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDecl {
    /// Attributes. `{:datatype}` makes the types the old form of datatypes, whose constructors are functions with the
    /// attribute `{:constructor}`.
    pub attributes: Vec<Attribute>,
    /// Whether `finite` was written (old Boogie).
    pub finite: bool,
    /// The declared types, at least one.
    pub items: Vec<TypeDeclItem>,
    /// The whole declaration.
    pub span: Span,
}

/// One type of a type declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDeclItem {
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub params: Vec<Ident>,
    /// What it is a synonym of, otherwise it is a new type constructor.
    pub synonym: Option<Type>,
    /// The item.
    pub span: Span,
}

/// `datatype {:attr} T<a> { C(x: int), D() }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatatypeDecl {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The type's name.
    pub name: Ident,
    /// Its type parameters.
    pub type_params: Vec<Ident>,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
    /// The whole declaration.
    pub span: Span,
}

/// A constructor of a datatype.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Ident,
    /// Its fields; they always have names.
    pub fields: Vec<TypedIdents>,
    /// The constructor.
    pub span: Span,
}

/// `const {:attr} unique c, d: T extends unique a, b complete;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstDecl {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Whether the constants differ from all other unique constants of their type.
    pub unique: bool,
    /// The names.
    pub names: Vec<Ident>,
    /// Their type.
    pub ty: Type,
    /// The direct parents in the partial order `<:`, if given; an empty list means that there are none.
    pub parents: Option<Vec<ConstParent>>,
    /// Whether all direct children are given somewhere.
    pub complete: bool,
    /// Axioms of a `uses { ... }` block.
    pub uses: Vec<AxiomDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// A parent in an order specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstParent {
    /// Whether the edge is `unique`.
    pub unique: bool,
    /// The parent constant.
    pub name: Ident,
}

/// `function {:attr} f<a>(x: T, U) returns (r: V) { e }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionDecl {
    /// Attributes, such as `{:inline}`, `{:define}`, `{:builtin "..."}`, `{:bvbuiltin "..."}`.
    pub attributes: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<Ident>,
    /// Parameters, each with one name or none.
    pub params: Vec<TypedIdents>,
    /// The result, with one name or none.
    pub result: Box<TypedIdents>,
    /// The body, if given.
    pub body: Option<Expr>,
    /// Axioms of a `uses { ... }` block.
    pub uses: Vec<AxiomDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// `axiom {:attr} e;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxiomDecl {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// What is assumed.
    pub expr: Expr,
    /// The whole declaration.
    pub span: Span,
}

/// `var {:attr} x, y: T where e, z: U;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The groups of names with their types, at least one.
    pub groups: Vec<TypedIdents>,
    /// The whole declaration.
    pub span: Span,
}

/// The head of a procedure or implementation: `{:attr} P<a>(x: T) returns (y: U)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<Ident>,
    /// Parameters; they always have names.
    pub params: Vec<TypedIdents>,
    /// Results; they always have names.
    pub results: Vec<TypedIdents>,
    /// The head.
    pub span: Span,
}

/// `procedure P(x: T) returns (y: U); requires ...;` or with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcedureDecl {
    /// Whether it was declared `pure`.
    pub pure_: bool,
    /// Name, parameters and results.
    pub signature: Signature,
    /// The contract in its order.
    pub specs: Vec<Spec>,
    /// The body, if given.
    pub body: Option<Body>,
    /// The whole declaration.
    pub span: Span,
}

/// `implementation P(x: T) returns (y: U) { ... }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImplementationDecl {
    /// Name, parameters and results.
    pub signature: Signature,
    /// The body.
    pub body: Body,
    /// The whole declaration.
    pub span: Span,
}

/// A body with local variables. Local declarations may also stand between statements, as Ultimate allows; they are all
/// visible in the whole body, so only their order is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The local variables.
    pub locals: Vec<VarDecl>,
    /// The statements.
    pub block: Block,
    /// From brace to brace.
    pub span: Span,
}

/// A clause of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Whether `free` was written: assumed, never checked.
    pub free: bool,
    /// Attributes behind the keyword.
    pub attributes: Vec<Attribute>,
    /// Which clause.
    pub kind: SpecKind,
    /// The whole clause.
    pub span: Span,
}

/// The clauses of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecKind {
    /// `requires e;`
    Requires(Expr),
    /// `ensures e;`
    Ensures(Expr),
    /// `modifies x, y;`
    Modifies(Vec<Ident>),
    /// `measure e, f;`: what becomes smaller from call to call
    Measure(Vec<Expr>),
}
