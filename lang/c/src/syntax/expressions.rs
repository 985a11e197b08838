//! Expressions (C11 6.5) and constants (6.4.4).

use super::{Identifier, InitializerListItem, Node, Statement, TypeName};

/// A constant (6.4.4).
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A whole number.
    Integer(Integer),
    /// A number with a point or an exponent.
    Float(Float),
    /// A character, as it is written, with prefix and quotes.
    Character(String),
}

/// A whole number (6.4.4.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Integer {
    /// The base of its digits.
    pub base: IntegerBase,
    /// Its digits, without prefix and suffix.
    pub number: Box<str>,
    /// What is said of its type.
    pub suffix: IntegerSuffix,
}

/// The base of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum IntegerBase {
    Decimal,
    Octal,
    Hexadecimal,
    Binary,
}

/// The suffix of a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerSuffix {
    /// The smallest type that it may have.
    pub size: IntegerSize,
    /// `u`
    pub unsigned: bool,
    /// `i` or `j` (gcc).
    pub imaginary: bool,
}

/// The size in the suffix of a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntegerSize {
    /// Neither of the others.
    Int,
    /// `l`
    Long,
    /// `ll`
    LongLong,
}

/// A floating-point number (6.4.4.2).
#[derive(Clone, Debug, PartialEq)]
pub struct Float {
    /// Whether its digits are hexadecimal.
    pub hexadecimal: bool,
    /// Its digits, point and exponent, without prefix and suffix.
    pub number: Box<str>,
    /// Its type.
    pub format: FloatFormat,
    /// `i` or `j` (gcc).
    pub imaginary: bool,
}

/// The type of a floating-point number, by its suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatFormat {
    /// `f`
    Float,
    /// None.
    Double,
    /// `l`
    LongDouble,
    /// `f32`, `f64x` and so on.
    Fixed(FixedFloat),
}

/// A floating type of a fixed width: `_Float64`, `_Float64x`, `_Decimal64` (TS 18661).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedFloat {
    /// The width in bits.
    pub width: u32,
    /// Whether it is the next larger one (`x`).
    pub extended: bool,
    /// Whether its base is ten.
    pub decimal: bool,
}

/// String literals side by side, as they are written, with prefixes and quotes (6.4.5).
pub type StringLiteral = Vec<String>;

/// An expression (6.5).
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// The name of a variable, a function or an enumeration constant.
    Identifier(Box<Node<Identifier>>),
    /// A number or a character.
    Constant(Box<Node<Constant>>),
    /// Strings.
    StringLiteral(Box<Node<StringLiteral>>),
    /// `_Generic(e, T: a, default: b)`
    GenericSelection(Box<Node<GenericSelection>>),
    /// `a.m`, `a->m`
    Member(Box<Node<MemberExpression>>),
    /// `f(a, b)`
    Call(Box<Node<CallExpression>>),
    /// `(T){…}`
    CompoundLiteral(Box<Node<CompoundLiteral>>),
    /// `sizeof(T)`
    SizeOfTy(Box<Node<TypeName>>),
    /// `sizeof e`
    SizeOfVal(Box<Node<Expression>>),
    /// `_Alignof(T)`: the least alignment.
    AlignOf(Box<Node<TypeName>>),
    /// gcc's `__alignof__(T)`: the alignment that variables get.
    PreferredAlignOf(Box<Node<TypeName>>),
    /// gcc's `__alignof__ e`.
    PreferredAlignOfVal(Box<Node<Expression>>),
    /// `-a`, `a++` and so on.
    UnaryOperator(Box<Node<UnaryOperatorExpression>>),
    /// `(T) e`
    Cast(Box<Node<CastExpression>>),
    /// `a + b`, `a[b]`, `a = b` and so on.
    BinaryOperator(Box<Node<BinaryOperatorExpression>>),
    /// `a ? b : c`
    Conditional(Box<Node<ConditionalExpression>>),
    /// `a, b`
    Comma(Box<Vec<Node<Expression>>>),
    /// `__builtin_offsetof(T, m)`
    OffsetOf(Box<Node<OffsetOfExpression>>),
    /// `__builtin_va_arg(a, T)`
    VaArg(Box<Node<VaArgExpression>>),
    /// gcc's `__builtin_types_compatible_p(A, B)`.
    TypesCompatible(Box<(Node<TypeName>, Node<TypeName>)>),
    /// gcc's `&&label`.
    LabelAddress(Box<Node<Identifier>>),
    /// gcc's `({ … })`.
    Statement(Box<Node<Statement>>),
}

/// How a member is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberOperator {
    /// `.`
    Direct,
    /// `->`
    Indirect,
}

/// `_Generic(e, T: a, default: b)` (6.5.1.1).
#[derive(Clone, Debug, PartialEq)]
pub struct GenericSelection {
    /// What is not evaluated, and whose type chooses.
    pub expression: Box<Node<Expression>>,
    /// What is chosen from.
    pub associations: Vec<Node<GenericAssociation>>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq)]
pub enum GenericAssociation {
    /// `T: e`
    Type(Node<GenericAssociationType>),
    /// `default: e`
    Default(Box<Node<Expression>>),
}

/// The choice for a type.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct GenericAssociationType {
    pub type_name: Node<TypeName>,
    pub expression: Box<Node<Expression>>,
}

/// `a.m` or `a->m` (6.5.2.3).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct MemberExpression {
    pub operator: Node<MemberOperator>,
    pub expression: Box<Node<Expression>>,
    pub identifier: Node<Identifier>,
}

/// `f(a, b)` (6.5.2.2).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CallExpression {
    pub callee: Box<Node<Expression>>,
    pub arguments: Vec<Node<Expression>>,
}

/// `(T){…}` (6.5.2.5).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CompoundLiteral {
    pub type_name: Node<TypeName>,
    pub initializer_list: Vec<Node<InitializerListItem>>,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum UnaryOperator {
    PostIncrement,
    PostDecrement,
    PreIncrement,
    PreDecrement,
    Address,
    Indirection,
    Plus,
    Minus,
    Complement,
    Negate,
    /// gcc's `__real__`.
    Real,
    /// gcc's `__imag__`.
    Imaginary,
}

/// An operator with its operand (6.5.2, 6.5.3).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct UnaryOperatorExpression {
    pub operator: Node<UnaryOperator>,
    pub operand: Box<Node<Expression>>,
}

/// `(T) e` (6.5.4).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CastExpression {
    pub type_name: Node<TypeName>,
    pub expression: Box<Node<Expression>>,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOperator {
    /// `a[b]`
    Index,
    Multiply,
    Divide,
    Modulo,
    Plus,
    Minus,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equals,
    NotEquals,
    BitwiseAnd,
    BitwiseXor,
    BitwiseOr,
    LogicalAnd,
    LogicalOr,
    Assign,
    AssignMultiply,
    AssignDivide,
    AssignModulo,
    AssignPlus,
    AssignMinus,
    AssignShiftLeft,
    AssignShiftRight,
    AssignBitwiseAnd,
    AssignBitwiseXor,
    AssignBitwiseOr,
}

/// An operator with its operands (6.5.5 to 6.5.14, 6.5.16).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct BinaryOperatorExpression {
    pub operator: Node<BinaryOperator>,
    pub lhs: Box<Node<Expression>>,
    pub rhs: Box<Node<Expression>>,
}

/// `a ? b : c` (6.5.15).
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionalExpression {
    /// What is tested.
    pub condition: Box<Node<Expression>>,
    /// The value where it holds: that of the condition if there is none (gcc's `a ?: c`).
    pub then_expression: Option<Box<Node<Expression>>>,
    /// The value where it does not.
    pub else_expression: Box<Node<Expression>>,
}

/// `__builtin_va_arg(a, T)` (7.16.1.1).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct VaArgExpression {
    pub va_list: Box<Node<Expression>>,
    pub type_name: Node<TypeName>,
}

/// `__builtin_offsetof(T, m)` (7.19p3).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct OffsetOfExpression {
    pub type_name: Node<TypeName>,
    pub designator: Node<OffsetDesignator>,
}

/// The member that an offset is asked of.
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetDesignator {
    /// A member of the type.
    pub base: Node<Identifier>,
    /// What is taken of it.
    pub members: Vec<Node<OffsetMember>>,
}

/// One step of an offset.
#[derive(Clone, Debug, PartialEq)]
pub enum OffsetMember {
    /// `.m`
    Member(Node<Identifier>),
    /// `->m`
    IndirectMember(Node<Identifier>),
    /// `[e]`
    Index(Node<Expression>),
}
