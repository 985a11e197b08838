//! Changes all expressions of a piece of program.

use ult_lang::stack::ensure_stack;

use super::{Base, Callee, Expr, ExprKind, Place, Step, Stmt, StmtKind};

/// What somebody changes. Each method gets a node whose parts were changed before.
pub trait Change {
    /// An expression.
    fn expr(&mut self, node: &mut Expr);

    /// A statement. Nothing unless somebody says more.
    fn statement(&mut self, _node: &mut Stmt) {}

    /// A place. Nothing unless somebody says more.
    fn place(&mut self, _node: &mut Place) {}
}

/// Changes statements, with all that is in them.
pub fn statements<C: Change + ?Sized>(change: &mut C, nodes: &mut [Stmt]) {
    for node in nodes {
        ensure_stack(|| statement(change, node));
    }
}

fn statement<C: Change + ?Sized>(change: &mut C, node: &mut Stmt) {
    match &mut node.kind {
        StmtKind::Assign(to, value) => {
            place(change, to);
            expr(change, value);
        }
        StmtKind::Zero(at) => place(change, at),
        StmtKind::Call {
            callee,
            args,
            result,
        } => {
            if let Callee::Pointer(pointer, _) = callee {
                expr(change, pointer);
            }
            for arg in args {
                expr(change, arg);
            }
            if let Some(to) = result {
                place(change, to);
            }
        }
        StmtKind::If(condition, yes, no) => {
            expr(change, condition);
            statements(change, yes);
            statements(change, no);
        }
        StmtKind::Loop(_, body) | StmtKind::Block(_, body) => statements(change, body),
        StmtKind::Return(Some(value)) | StmtKind::Assert(value) | StmtKind::Evaluate(value) => {
            expr(change, value);
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
    change.statement(node);
}

fn place<C: Change + ?Sized>(change: &mut C, node: &mut Place) {
    if let Base::Deref(pointer) = &mut node.base {
        expr(change, pointer);
    }
    for step in &mut node.path {
        if let Step::Index(index) = step {
            expr(change, index);
        }
    }
    change.place(node);
}

/// Changes an expression, with all that is in it.
pub fn expr<C: Change + ?Sized>(change: &mut C, node: &mut Expr) {
    ensure_stack(|| {
        match &mut node.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Unsupported(_) => {}
            ExprKind::Read(at) | ExprKind::Address(at) => place(change, at),
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
                expr(change, operand);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Difference(left, right) => {
                expr(change, left);
                expr(change, right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                expr(change, condition);
                expr(change, yes);
                expr(change, no);
            }
            ExprKind::Offset { pointer, index, .. } => {
                expr(change, pointer);
                expr(change, index);
            }
        }
        change.expr(node);
    });
}
