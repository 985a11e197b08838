//! Statements (C11 6.8).

use super::{
    Declaration, Expression, FunctionDefinition, Identifier, Node, StaticAssert, StringLiteral,
};

/// A statement (6.8).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Statement {
    Labeled(Node<LabeledStatement>),
    Compound(Vec<Node<BlockItem>>),
    Expression(Option<Box<Node<Expression>>>),
    If(Node<IfStatement>),
    Switch(Node<SwitchStatement>),
    While(Node<WhileStatement>),
    DoWhile(Node<DoWhileStatement>),
    For(Node<ForStatement>),
    Goto(Node<Identifier>),
    /// gcc's `goto *e;`
    ComputedGoto(Box<Node<Expression>>),
    Continue,
    Break,
    Return(Option<Box<Node<Expression>>>),
    Asm(Node<AsmStatement>),
}

/// 6.8.1
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LabeledStatement {
    pub label: Node<Label>,
    pub statement: Box<Node<Statement>>,
}

/// 6.8.4.1
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct IfStatement {
    pub condition: Box<Node<Expression>>,
    pub then_statement: Box<Node<Statement>>,
    pub else_statement: Option<Box<Node<Statement>>>,
}

/// 6.8.4.2
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SwitchStatement {
    pub expression: Box<Node<Expression>>,
    pub statement: Box<Node<Statement>>,
}

/// 6.8.5.1
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct WhileStatement {
    pub expression: Box<Node<Expression>>,
    pub statement: Box<Node<Statement>>,
}

/// 6.8.5.2
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct DoWhileStatement {
    pub statement: Box<Node<Statement>>,
    pub expression: Box<Node<Expression>>,
}

/// 6.8.5.3
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ForStatement {
    pub initializer: Node<ForInitializer>,
    pub condition: Option<Box<Node<Expression>>>,
    pub step: Option<Box<Node<Expression>>>,
    pub statement: Box<Node<Statement>>,
}

/// Labels, for jumps and in a `switch`.
#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    /// `l:`
    Identifier(Node<Identifier>),
    /// `case e:`
    Case(Box<Node<Expression>>),
    /// gcc's `case a ... b:`
    CaseRange(Node<CaseRange>),
    /// `default:`
    Default,
}

/// gcc's `a ... b`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CaseRange {
    pub low: Box<Node<Expression>>,
    pub high: Box<Node<Expression>>,
}

/// How a `for` begins.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ForInitializer {
    Empty,
    Expression(Box<Node<Expression>>),
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
}

/// What stands in a block (6.8.2).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BlockItem {
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
    Statement(Node<Statement>),
    /// gcc's functions within functions.
    Function(Box<Node<FunctionDefinition>>),
    /// gcc's `__label__ a, b;`: labels that are known in this block only.
    LocalLabels(Vec<Node<Identifier>>),
}

/// gcc's inline assembly.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct AsmStatement {
    pub template: Node<StringLiteral>,
    pub outputs: Vec<Node<AsmOperand>>,
    pub inputs: Vec<Node<AsmOperand>>,
    pub clobbers: Vec<Node<StringLiteral>>,
    /// The labels that it may jump to.
    pub labels: Vec<Node<Identifier>>,
}

/// What assembly reads or writes.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct AsmOperand {
    pub constraints: Node<StringLiteral>,
    pub variable_name: Node<Expression>,
}
