//! Walks over expressions and statements of the typed program.

use std::collections::BTreeSet;

use ult_lang::hir::{
    Expr, ExprKind, FunctionId, GraphVariableId, ProcedureId, Stmt, StmtKind, VarRef,
};

/// The functions that an expression applies, in triggers too.
pub fn calls_in(root: &Expr) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    root.visit(&mut |e| {
        if let ExprKind::Call { function, .. } = &e.kind {
            found.insert(*function);
        }
    });
    found
}

/// The graph variables that occur primed.
pub fn primed<'e>(roots: impl IntoIterator<Item = &'e Expr>) -> BTreeSet<GraphVariableId> {
    let mut found = BTreeSet::new();
    for root in roots {
        root.visit(&mut |e| {
            if let ExprKind::Var(VarRef::Primed(id)) = &e.kind {
                found.insert(*id);
            }
        });
    }
    found
}

/// Calls `f` with every statement, nested ones included.
pub fn visit<'s>(body: &'s [Stmt], f: &mut dyn FnMut(&'s Stmt)) {
    let mut stack: Vec<&Stmt> = body.iter().collect();
    while let Some(statement) = stack.pop() {
        f(statement);
        match &statement.kind {
            StmtKind::If {
                then, otherwise, ..
            } => stack.extend(then.iter().chain(otherwise)),
            StmtKind::While { body, .. } => stack.extend(body),
            _ => {}
        }
    }
}

/// The procedures that statements call.
pub fn callees(body: &[Stmt]) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    visit(body, &mut |statement| {
        if let StmtKind::Call { callee, .. } = &statement.kind {
            found.insert(*callee);
        }
    });
    found
}

/// Whether a statement is not understood.
pub fn has_unsupported(body: &[Stmt]) -> bool {
    let mut found = false;
    visit(body, &mut |statement| {
        found |= matches!(statement.kind, StmtKind::Unsupported { .. });
    });
    found
}
