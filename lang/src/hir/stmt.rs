//! Statements of the typed program; still structured, but with every name and target resolved.

use std::fmt;

use super::{Attribute, BlockId, Condition, Expr, LabelId, ProcedureId, Type, VarRef};
use crate::span::Span;
use crate::stack::ensure_stack;

/// A statement and its place. Like expressions, statements may be nested very deeply.
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place in the source.
    pub span: Span,
}

/// The kinds of statements. Variables that are written are always [`VarRef::Global`] or [`VarRef::Local`].
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `assert condition;`
    Assert {
        /// A bool.
        condition: Expr,
        /// `{:attribute ...}`.
        attributes: Vec<Attribute>,
    },
    /// `assume condition;`
    Assume {
        /// A bool.
        condition: Expr,
        /// `{:attribute ...}`.
        attributes: Vec<Attribute>,
    },
    /// `havoc x, y;` (subject to the variables' where clauses).
    Havoc(Vec<VarRef>),
    /// A parallel assignment: all right-hand sides are evaluated before any variable is written. The variables differ
    /// pairwise. `a[i] := e` and `d->f := e` arrive here as `a := a[i := e]` and `d := d->(f := e)`.
    Assign {
        /// Each variable with its new value.
        pairs: Vec<(VarRef, Expr)>,
    },
    /// `call results := callee(args);`
    Call {
        /// The procedure.
        callee: ProcedureId,
        /// What the procedure's type parameters stand for here.
        type_args: Vec<Type>,
        /// One expression for each in-parameter.
        args: Vec<Expr>,
        /// One variable for each out-parameter; they differ pairwise.
        results: Vec<VarRef>,
        /// Whether it is a `free call`, whose preconditions are not checked.
        free: bool,
        /// `{:attribute ...}`.
        attributes: Vec<Attribute>,
    },
    /// `call forall callee(args);`
    CallForall {
        /// The procedure, of which one may only use the contract.
        callee: ProcedureId,
        /// What the procedure's type parameters stand for here.
        type_args: Vec<Type>,
        /// One entry for each in-parameter; `None` is `*`, "for all values".
        args: Vec<Option<Expr>>,
        /// `{:attribute ...}`.
        attributes: Vec<Attribute>,
    },
    /// `if (condition) { then } else { otherwise }`.
    If {
        /// The statement as a target of `break`.
        id: BlockId,
        /// `None` is `*`, either branch.
        condition: Option<Expr>,
        /// Statements of the first branch.
        then: Vec<Stmt>,
        /// Statements of the second branch; empty if there is none.
        otherwise: Vec<Stmt>,
    },
    /// `while (condition) invariants { body }`.
    While {
        /// The statement as a target of `break`.
        id: BlockId,
        /// `None` is `*`, leave or stay.
        condition: Option<Expr>,
        /// Given loop invariants.
        invariants: Vec<Condition>,
        /// Statements of the body.
        body: Vec<Stmt>,
    },
    /// `break;` or `break label;`: go on behind the enclosing `if` or `while` with this id.
    Break(BlockId),
    /// `goto a, b;`: go on at any of the labels.
    Goto(Vec<LabelId>),
    /// `name:`, the place the label stands for.
    Label(LabelId),
    /// `return;`
    Return,
    /// A statement that was understood by the front end but that no later stage supports.
    Unsupported {
        /// What it is, in words: "parallel call".
        what: &'static str,
    },
}

/// A label of an implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The place of its definition.
    pub span: Span,
}

impl Stmt {
    /// A statement.
    pub fn new(kind: StmtKind, span: Span) -> Self {
        Self { kind, span }
    }
}

impl Drop for Stmt {
    fn drop(&mut self) {
        if matches!(self.kind, StmtKind::If { .. } | StmtKind::While { .. }) {
            let kind = std::mem::replace(&mut self.kind, StmtKind::Return);
            ensure_stack(|| drop(kind));
        }
    }
}

impl Clone for Stmt {
    fn clone(&self) -> Self {
        Self::new(ensure_stack(|| self.kind.clone()), self.span)
    }
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span && ensure_stack(|| self.kind == other.kind)
    }
}

impl fmt::Debug for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ensure_stack(|| {
            f.debug_struct("Stmt")
                .field("kind", &self.kind)
                .field("span", &self.span)
                .finish()
        })
    }
}
