//! Statements.

use super::{Attribute, Expr, Ident};
use crate::span::Span;
use crate::stack::ensure_stack;

/// A list of statements, usually in braces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// The statements; labels are statements of their own.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// Which statement.
    pub kind: StmtKind,
    /// Attributes behind the keyword, for assignments behind `:=`.
    pub attributes: Vec<Attribute>,
    /// The whole statement, semicolon included.
    pub span: Span,
}

impl Stmt {
    /// Takes the statement apart. (Its fields cannot be moved out, because `Stmt` has a `Drop`.)
    pub fn into_kind(mut self) -> StmtKind {
        std::mem::replace(&mut self.kind, StmtKind::Error)
    }
}

impl Clone for Stmt {
    fn clone(&self) -> Stmt {
        ensure_stack(|| Stmt {
            kind: self.kind.clone(),
            attributes: self.attributes.clone(),
            span: self.span,
        })
    }
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Stmt) -> bool {
        self.span == other.span
            && self.attributes == other.attributes
            && ensure_stack(|| self.kind == other.kind)
    }
}

impl Eq for Stmt {}

impl Drop for Stmt {
    fn drop(&mut self) {
        if matches!(
            self.kind,
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Unsupported(_)
        ) {
            let kind = std::mem::replace(&mut self.kind, StmtKind::Error);
            ensure_stack(|| drop(kind));
        }
    }
}

/// The kinds of statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// `l:`, a label for what follows
    Label(Ident),
    /// `assert e;`
    Assert(Expr),
    /// `assume e;`
    Assume(Expr),
    /// `havoc x, y;`
    Havoc(Vec<Ident>),
    /// `x, m[i] := e, f;`: all right sides are evaluated first. As many targets as values if the program is right.
    Assign {
        /// What is assigned to.
        targets: Vec<AssignTarget>,
        /// The values.
        values: Vec<Expr>,
    },
    /// `C(x, y) := e;`: takes a datatype's value apart.
    Unpack {
        /// The constructor.
        constructor: Ident,
        /// The variables that get the fields.
        targets: Vec<Ident>,
        /// The value.
        value: Expr,
    },
    /// `call x, y := P(e);`
    Call {
        /// Whether `free` was written: the preconditions are assumed.
        free: bool,
        /// The call.
        call: Call,
    },
    /// `call forall P(*, e);`: assumes the lemma that `P` proves, for all values of the arguments written `*`.
    CallForall {
        /// The procedure.
        name: Ident,
        /// The arguments.
        args: Vec<CallArg>,
    },
    /// `if (c) { ... } else if (*) { ... } else { ... }`
    If {
        /// The guards with their blocks, at least one.
        branches: Vec<(Guard, Block)>,
        /// The block when no guard holds.
        otherwise: Option<Block>,
    },
    /// `while (c) invariant e; { ... }`
    While {
        /// The guard.
        guard: Guard,
        /// The invariants.
        invariants: Vec<Invariant>,
        /// What becomes smaller from round to round; at most one if the program is right.
        measures: Vec<Measure>,
        /// The loop's body.
        body: Block,
    },
    /// `break l;`
    Break(Option<Ident>),
    /// `goto l, m;`: to any one of the labels
    Goto(Vec<Ident>),
    /// `return;`, and `return e;` in code expressions
    Return(Option<Expr>),
    /// `measure e, f;`: the measure of a loop with `goto`
    Measure(Vec<Expr>),
    /// What the verifier knows by its syntax only. The verdict of what reaches it is UNKNOWN, unless it is about what a prover
    /// may use.
    Unsupported(Unsupported),
    /// Something that could not be read; a diagnostic says so.
    Error,
}

/// Statements that are read and then refused or passed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// `async call ...;`
    AsyncCall(Call),
    /// `call P(e) | Q(f);` or `par call P(e) | Q(f);`: several calls at once
    ParallelCall(Vec<Call>),
    /// `yield;`
    Yield,
    /// `atomic { ... }` (Ultimate)
    Atomic(Block),
    /// `hide f;`, `reveal f;`, `hide *;`, `reveal *;`: whether functions' axioms may be used
    Visibility {
        /// Whether it is `reveal`.
        reveal: bool,
        /// The function, or all.
        name: Option<Ident>,
    },
    /// `push;`: begins a scope of `hide` and `reveal`
    Push,
    /// `pop;`: ends it
    Pop,
}

/// `x, y := P(e)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Attributes behind `call`.
    pub attributes: Vec<Attribute>,
    /// The variables that get the results.
    pub targets: Vec<Ident>,
    /// The procedure.
    pub name: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Without keyword and semicolon.
    pub span: Span,
}

/// An argument of `call forall`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallArg {
    /// `*`
    Any(Span),
    /// An expression.
    Expr(Expr),
}

/// The condition of an `if` or `while`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// `(*)`: either way
    Any(Span),
    /// `(e)`
    Expr(Expr),
}

/// A loop invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Whether `free` was written: assumed, never checked.
    pub free: bool,
    /// Attributes behind the keyword.
    pub attributes: Vec<Attribute>,
    /// The invariant.
    pub expr: Expr,
    /// The whole clause.
    pub span: Span,
}

/// `measure e, f;` of a loop
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Attributes behind the keyword.
    pub attributes: Vec<Attribute>,
    /// What becomes smaller, the first one first; at least one.
    pub exprs: Vec<Expr>,
    /// The whole clause.
    pub span: Span,
}

/// The left side of an assignment: a variable, or an element or field inside its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssignTarget {
    /// The variable that changes.
    pub name: Ident,
    /// The way to the part that is replaced: `a[i]->f` has two steps.
    pub path: Vec<PathStep>,
    /// The left side.
    pub span: Span,
}

/// One step into a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathStep {
    /// `[i, j]`
    Index(Vec<Expr>, Span),
    /// `->f`
    Field(Ident),
}
