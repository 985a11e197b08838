//! Walks over all that a piece of program consists of, in the order of the text.

use std::collections::BTreeSet;

use ult_lang::stack::ensure_stack;

use super::{Base, Callee, Expr, ExprKind, Place, Step, Stmt, StmtKind, VarId};

/// What somebody does on the way. Who overrides a method and wants to see the parts as well calls
/// the function of the same name, [`statement`], [`place`] or [`expr`].
pub trait Visit {
    /// A statement.
    fn statement(&mut self, node: &Stmt) {
        statement(self, node);
    }

    /// A place that is read, written, or has its address taken.
    fn place(&mut self, node: &Place) {
        place(self, node);
    }

    /// An expression.
    fn expr(&mut self, node: &Expr) {
        expr(self, node);
    }

    /// Statements one behind the other.
    fn statements(&mut self, nodes: &[Stmt]) {
        for node in nodes {
            ensure_stack(|| self.statement(node));
        }
    }
}

/// The variables that statements mention, but for where lives begin and end.
pub fn mentioned(statements: &[Stmt]) -> BTreeSet<VarId> {
    let mut mentioned = Mentioned::default();
    mentioned.statements(statements);
    mentioned.0
}

#[derive(Default)]
struct Mentioned(BTreeSet<VarId>);

impl Visit for Mentioned {
    fn place(&mut self, node: &Place) {
        if let Base::Variable(id) = &node.base {
            self.0.insert(*id);
        }
        place(self, node);
    }
}

/// Visits the parts of a statement.
pub fn statement<V: Visit + ?Sized>(visitor: &mut V, node: &Stmt) {
    match &node.kind {
        StmtKind::Assign(place, value) => {
            visitor.place(place);
            visitor.expr(value);
        }
        StmtKind::Zero(place) => visitor.place(place),
        StmtKind::Call {
            callee,
            args,
            result,
        } => {
            if let Callee::Pointer(pointer, _) = callee {
                visitor.expr(pointer);
            }
            for arg in args {
                visitor.expr(arg);
            }
            if let Some(place) = result {
                visitor.place(place);
            }
        }
        StmtKind::If(condition, yes, no) => {
            visitor.expr(condition);
            visitor.statements(yes);
            visitor.statements(no);
        }
        StmtKind::Loop(_, body) | StmtKind::Block(_, body) => visitor.statements(body),
        StmtKind::Return(Some(value)) | StmtKind::Assert(value) | StmtKind::Evaluate(value) => {
            visitor.expr(value);
        }
        StmtKind::Declare(_)
        | StmtKind::Begin(_)
        | StmtKind::End(_)
        | StmtKind::Leave(_)
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Return(None)
        | StmtKind::Undefined { .. }
        | StmtKind::Unsupported(_) => {}
    }
}

/// Visits the expressions within a place.
pub fn place<V: Visit + ?Sized>(visitor: &mut V, node: &Place) {
    if let Base::Deref(pointer) = &node.base {
        visitor.expr(pointer);
    }
    for step in &node.path {
        if let Step::Index(index) = step {
            visitor.expr(index);
        }
    }
}

/// Visits the operands of an expression.
pub fn expr<V: Visit + ?Sized>(visitor: &mut V, node: &Expr) {
    ensure_stack(|| match &node.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Function(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Read(place) | ExprKind::Address(place) => visitor.place(place),
        ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
            visitor.expr(operand);
        }
        ExprKind::Binary(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Difference(left, right) => {
            visitor.expr(left);
            visitor.expr(right);
        }
        ExprKind::Conditional(condition, yes, no) => {
            visitor.expr(condition);
            visitor.expr(yes);
            visitor.expr(no);
        }
        ExprKind::Offset { pointer, index, .. } => {
            visitor.expr(pointer);
            visitor.expr(index);
        }
    });
}
