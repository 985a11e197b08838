//! Syntax trees of C (C11 6.5 to 6.9) with the extensions of gcc that programs use.
//!
//! The names are those of the standard's grammar. Every node has its place, from its first token to its last one; an
//! expression in parentheses has two: that of the [`Node`] with them, and that of what stands inside without.

mod declarations;
mod expressions;
mod statements;
pub mod visit;

use ult_lang::span::Span;

pub use self::declarations::*;
pub use self::expressions::*;
pub use self::statements::*;

/// Something that stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<T> {
    /// What it is.
    pub node: T,
    /// Where it is.
    pub span: Span,
}

impl<T> Node<T> {
    /// Something at a place.
    pub fn new(node: T, span: Span) -> Node<T> {
        Node { node, span }
    }
}

/// A name (6.4.2). Characters beyond ASCII are spelled out (see [`crate::parse::written`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// The name.
    pub name: String,
}

/// A preprocessed text (6.9).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranslationUnit(pub Vec<Node<ExternalDeclaration>>);

/// What stands outside of functions.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ExternalDeclaration {
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
    FunctionDefinition(Box<Node<FunctionDefinition>>),
}

/// A function (6.9.1).
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDefinition {
    /// The result's type, among others.
    pub specifiers: Vec<Node<DeclarationSpecifier>>,
    /// Name and parameters.
    pub declarator: Node<Declarator>,
    /// The types of parameters in the old style (6.9.1p6).
    pub declarations: Vec<Node<Declaration>>,
    /// The body.
    pub statement: Node<Statement>,
    /// The labels whose address is taken, in the order of the text, each once.
    pub label_addresses: Vec<Node<Identifier>>,
}

/// What compilers add to declarations.
#[derive(Clone, Debug, PartialEq)]
pub enum Extension {
    /// `__attribute__((name(arguments)))`
    Attribute(Attribute),
    /// `__asm__("name")`
    AsmLabel(Node<StringLiteral>),
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Attribute {
    pub name: Node<String>,
    pub arguments: Vec<Node<Expression>>,
}
