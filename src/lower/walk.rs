//! Walks over expressions and statements of the typed program.

use std::collections::BTreeSet;

use ult_lang::hir::visit::statements;
use ult_lang::hir::{
    Expr, ExprKind, FunctionId, GraphVariableId, ProcedureId, Stmt, StmtKind, Type, VarRef,
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

/// The types at which an expression uses the polymorphic function or map that it is about, leaving aside what it consists of; `None` if
/// it uses none.
pub fn types_at(e: &Expr) -> Option<&[Type]> {
    match &e.kind {
        ExprKind::Call { type_args, .. }
        | ExprKind::Select { type_args, .. }
        | ExprKind::Store { type_args, .. } => (!type_args.is_empty()).then_some(type_args),
        _ => None,
    }
}

/// Whether an expression reads or writes elements of polymorphic maps.
pub fn has_polymorphic_maps(root: &Expr) -> bool {
    let mut found = false;
    root.visit(&mut |e| {
        let is_map = matches!(e.kind, ExprKind::Select { .. } | ExprKind::Store { .. });
        found |= is_map && types_at(e).is_some();
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
