//! Places in the user's text, where the parser's text is a longer one.

use ult_lang::diagnostic::Diagnostic;
use ult_lang::stack::ensure_stack;

use crate::ir::{
    Base, Callee, Expr, ExprKind, Initial, Place, Program, Step, Stmt, StmtKind, Storage,
};
use crate::parse::Moves;

/// Leads all places of a program and of messages back.
pub(super) fn lead_back(program: &mut Program, diagnostics: &mut [Diagnostic], moves: &Moves) {
    if moves.is_empty() {
        return;
    }
    for diagnostic in diagnostics {
        for (span, _) in &mut diagnostic.labels {
            *span = moves.back(*span);
        }
    }
    for variable in &mut program.variables {
        variable.span = moves.back(variable.span);
        if let Storage::Static {
            initial: Initial::Values(values),
            ..
        } = &mut variable.storage
        {
            for (_, value) in values {
                expr(value, moves);
            }
        }
    }
    for function in &mut program.functions {
        function.span = moves.back(function.span);
        statements(function.body.as_deref_mut().unwrap_or_default(), moves);
    }
}

fn statements(list: &mut [Stmt], moves: &Moves) {
    ensure_stack(|| {
        for stmt in list {
            stmt.span = moves.back(stmt.span);
            match &mut stmt.kind {
                StmtKind::Declare(_)
                | StmtKind::Begin(_)
                | StmtKind::End(_)
                | StmtKind::Leave(_)
                | StmtKind::Label(_)
                | StmtKind::Goto(_)
                | StmtKind::Return(None)
                | StmtKind::Unsupported(_) => {}
                StmtKind::Assign(object, value) => {
                    place(object, moves);
                    expr(value, moves);
                }
                StmtKind::Zero(object) => place(object, moves),
                StmtKind::Call {
                    callee,
                    args,
                    result,
                } => {
                    if let Callee::Pointer(pointer, _) = callee {
                        expr(pointer, moves);
                    }
                    args.iter_mut().for_each(|arg| expr(arg, moves));
                    if let Some(object) = result {
                        place(object, moves);
                    }
                }
                StmtKind::If(condition, then, otherwise) => {
                    expr(condition, moves);
                    statements(then, moves);
                    statements(otherwise, moves);
                }
                StmtKind::Loop(_, body) | StmtKind::Block(_, body) => statements(body, moves),
                StmtKind::Return(Some(value))
                | StmtKind::Assert(value)
                | StmtKind::Evaluate(value) => expr(value, moves),
            }
        }
    });
}

fn place(object: &mut Place, moves: &Moves) {
    object.span = moves.back(object.span);
    if let Base::Deref(pointer) = &mut object.base {
        expr(pointer, moves);
    }
    for step in &mut object.path {
        if let Step::Index(index) = step {
            expr(index, moves);
        }
    }
}

fn expr(value: &mut Expr, moves: &Moves) {
    value.span = moves.back(value.span);
    ensure_stack(|| match &mut value.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Function(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Read(object) | ExprKind::Address(object) => place(object, moves),
        ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
            expr(operand, moves);
        }
        ExprKind::Binary(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Difference(left, right) => {
            expr(left, moves);
            expr(right, moves);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            expr(condition, moves);
            expr(then, moves);
            expr(otherwise, moves);
        }
        ExprKind::Offset { pointer, index, .. } => {
            expr(pointer, moves);
            expr(index, moves);
        }
    });
}
