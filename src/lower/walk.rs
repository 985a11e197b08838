//! Walks over expressions and statements of the typed program.

use std::collections::BTreeSet;

use ult_lang::hir::visit::statements;
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

/// The procedures that statements call.
pub fn callees(body: &[Stmt]) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    statements(body, &mut |statement| {
        if let StmtKind::Call { callee, .. } = &statement.kind {
            found.insert(*callee);
        }
    });
    found
}

/// Whether a statement is not understood.
pub fn has_unsupported(body: &[Stmt]) -> bool {
    let mut found = false;
    statements(body, &mut |statement| {
        found |= matches!(statement.kind, StmtKind::Unsupported { .. });
    });
    found
}
