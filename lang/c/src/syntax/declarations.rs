//! Declarations (C11 6.7).

use super::{Expression, Extension, FixedFloat, Identifier, Node, StringLiteral};

/// A declaration (6.7).
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// What all that is declared has in common.
    pub specifiers: Vec<Node<DeclarationSpecifier>>,
    /// What is declared.
    pub declarators: Vec<Node<InitDeclarator>>,
}

/// A part of what all declared names have in common.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum DeclarationSpecifier {
    StorageClass(Node<StorageClassSpecifier>),
    TypeSpecifier(Node<TypeSpecifier>),
    TypeQualifier(Node<TypeQualifier>),
    Function(Node<FunctionSpecifier>),
    Alignment(Node<AlignmentSpecifier>),
    Extension(Vec<Node<Extension>>),
}

/// A declared name with its value.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct InitDeclarator {
    pub declarator: Node<Declarator>,
    pub initializer: Option<Node<Initializer>>,
}

/// 6.7.1
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StorageClassSpecifier {
    Typedef,
    Extern,
    Static,
    ThreadLocal,
    Auto,
    Register,
}

/// 6.7.2
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TypeSpecifier {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Bool,
    Complex,
    /// gcc's `__int128`.
    Int128,
    /// gcc's `__auto_type`: the type is that of the value.
    Auto,
    /// A floating type of a fixed width.
    Fixed(FixedFloat),
    /// `_Atomic(T)`
    Atomic(Node<TypeName>),
    /// `struct` and `union`.
    Struct(Node<StructType>),
    Enum(Node<EnumType>),
    TypedefName(Node<Identifier>),
    /// gcc's `typeof`.
    TypeOf(Node<TypeOf>),
}

/// A structure or union (6.7.2.1).
#[derive(Clone, Debug, PartialEq)]
pub struct StructType {
    /// Which of both.
    pub kind: Node<StructKind>,
    /// Its tag.
    pub identifier: Option<Node<Identifier>>,
    /// Its members, if they stand here.
    pub declarations: Option<Vec<Node<StructDeclaration>>>,
}

/// The only difference between a structure and a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StructKind {
    Struct,
    Union,
}

/// What stands among the members of a structure.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StructDeclaration {
    Field(Node<StructField>),
    StaticAssert(Node<StaticAssert>),
}

/// Members of one type.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StructField {
    pub specifiers: Vec<Node<SpecifierQualifier>>,
    pub declarators: Vec<Node<StructDeclarator>>,
}

/// A part of a type, of a member or by itself.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SpecifierQualifier {
    TypeSpecifier(Node<TypeSpecifier>),
    TypeQualifier(Node<TypeQualifier>),
    Alignment(Node<AlignmentSpecifier>),
    Extension(Vec<Node<Extension>>),
}

/// A member.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StructDeclarator {
    pub declarator: Option<Node<Declarator>>,
    pub bit_width: Option<Box<Node<Expression>>>,
}

/// An enumeration (6.7.2.2).
#[derive(Clone, Debug, PartialEq)]
pub struct EnumType {
    /// Its tag.
    pub identifier: Option<Node<Identifier>>,
    /// Its constants; none if they do not stand here.
    pub enumerators: Vec<Node<Enumerator>>,
}

/// A constant of an enumeration.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Enumerator {
    pub identifier: Node<Identifier>,
    pub expression: Option<Box<Node<Expression>>>,
}

/// 6.7.3
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TypeQualifier {
    Const,
    Restrict,
    Volatile,
    Atomic,
}

/// 6.7.4
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FunctionSpecifier {
    Inline,
    Noreturn,
}

/// 6.7.5
#[derive(Clone, Debug, PartialEq)]
pub enum AlignmentSpecifier {
    /// `_Alignas(T)`
    Type(Node<TypeName>),
    /// `_Alignas(e)`
    Constant(Box<Node<Expression>>),
}

/// A declarator, with or without a name (6.7.6, 6.7.7).
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// What is declared.
    pub kind: Node<DeclaratorKind>,
    /// Pointers in the order of the text, then arrays and functions in the order of the text.
    pub derived: Vec<Node<DerivedDeclarator>>,
    /// Attributes and a label for the assembler.
    pub extensions: Vec<Node<Extension>>,
}

/// What a declarator is about.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclaratorKind {
    /// No name.
    Abstract,
    /// A name.
    Identifier(Node<Identifier>),
    /// A declarator in parentheses.
    Declarator(Box<Node<Declarator>>),
}

/// What a declarator makes of the type.
#[derive(Clone, Debug, PartialEq)]
pub enum DerivedDeclarator {
    /// `*`
    Pointer(Vec<Node<PointerQualifier>>),
    /// `[e]`
    Array(Node<ArrayDeclarator>),
    /// `(T a)`
    Function(Node<FunctionDeclarator>),
    /// `(a, b)`, `()`
    KRFunction(Vec<Node<Identifier>>),
}

/// `[const 3]`
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ArrayDeclarator {
    pub qualifiers: Vec<Node<TypeQualifier>>,
    pub size: ArraySize,
}

/// The parameters of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDeclarator {
    /// In the order of the text.
    pub parameters: Vec<Node<ParameterDeclaration>>,
    /// Whether more may follow.
    pub ellipsis: Ellipsis,
}

/// What stands after the star of a pointer.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PointerQualifier {
    TypeQualifier(Node<TypeQualifier>),
    Extension(Vec<Node<Extension>>),
}

/// The size of an array (6.7.6.2).
#[derive(Clone, Debug, PartialEq)]
pub enum ArraySize {
    /// `[]`
    Unknown,
    /// `[*]`
    VariableUnknown,
    /// `[e]`
    VariableExpression(Box<Node<Expression>>),
    /// `[static e]`
    StaticExpression(Box<Node<Expression>>),
}

/// A parameter (6.7.6.3).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ParameterDeclaration {
    pub specifiers: Vec<Node<DeclarationSpecifier>>,
    pub declarator: Option<Node<Declarator>>,
    pub extensions: Vec<Node<Extension>>,
}

/// Whether `...` stands at the end of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Ellipsis {
    Some,
    None,
}

/// A type that stands by itself (6.7.7).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TypeName {
    pub specifiers: Vec<Node<SpecifierQualifier>>,
    pub declarator: Option<Node<Declarator>>,
}

/// A value for what is declared (6.7.9).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Initializer {
    Expression(Box<Node<Expression>>),
    List(Vec<Node<InitializerListItem>>),
}

/// A value for a part of what is declared.
#[derive(Clone, Debug, PartialEq)]
pub struct InitializerListItem {
    /// Which part, if it is said.
    pub designation: Vec<Node<Designator>>,
    /// The value.
    pub initializer: Box<Node<Initializer>>,
}

/// One step to a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Designator {
    /// `[e]`
    Index(Node<Expression>),
    /// `.m`, gcc's `m:`
    Member(Node<Identifier>),
    /// gcc's `[a ... b]`
    Range(Node<RangeDesignator>),
}

/// gcc's `[a ... b]`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct RangeDesignator {
    pub from: Node<Expression>,
    pub to: Node<Expression>,
}

/// `_Static_assert(e, "…");` (6.7.10), without the words in C23.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StaticAssert {
    pub expression: Box<Node<Expression>>,
    pub message: Option<Node<StringLiteral>>,
}

/// gcc's `typeof`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TypeOf {
    Expression(Node<Expression>),
    Type(Node<TypeName>),
}
