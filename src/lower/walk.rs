//! Walks over expressions of the typed program.

use std::collections::BTreeSet;

use ult_lang::hir::{Expr, ExprKind, FunctionId, ProcedureId, Stmt, StmtKind};

/// The direct sub-expressions, triggers excluded.
pub fn children(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::BitVec { .. }
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::RoundingMode(_)
        | ExprKind::Var(_)
        | ExprKind::Unsupported { .. }
        | ExprKind::Error => Vec::new(),
        ExprKind::Old(e)
        | ExprKind::Not(e)
        | ExprKind::Neg(e)
        | ExprKind::IntToReal(e)
        | ExprKind::RealToInt(e)
        | ExprKind::Extract { value: e, .. }
        | ExprKind::Field { value: e, .. }
        | ExprKind::Is { value: e, .. }
        | ExprKind::Quantifier { body: e, .. }
        | ExprKind::Lambda { body: e, .. } => vec![e],
        ExprKind::Nary(_, operands) => operands.iter().collect(),
        ExprKind::Binary(_, a, b) | ExprKind::Concat(a, b) => vec![a, b],
        ExprKind::Select { map, indices, .. } => {
            std::iter::once(&**map).chain(indices).collect()
        }
        ExprKind::Store {
            map,
            indices,
            value,
            ..
        } => std::iter::once(&**map)
            .chain(indices)
            .chain([&**value])
            .collect(),
        ExprKind::Call { args, .. } | ExprKind::Construct { args, .. } => args.iter().collect(),
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => vec![condition, then, otherwise],
        ExprKind::Let { values, body, .. } => values.iter().chain([&**body]).collect(),
        ExprKind::FieldUpdate { value, new, .. } => vec![value, new],
    }
}

/// The functions that an expression applies.
pub fn calls_in(root: &Expr) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut stack = vec![root];
    while let Some(e) = stack.pop() {
        if let ExprKind::Call { function, .. } = &e.kind {
            found.insert(*function);
        }
        stack.extend(children(e));
    }
    found
}

/// The procedures that statements call.
pub fn callees(body: &[Stmt]) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    let mut stack: Vec<&Stmt> = body.iter().collect();
    while let Some(statement) = stack.pop() {
        match &statement.kind {
            StmtKind::Call { callee, .. } => {
                found.insert(*callee);
            }
            StmtKind::If {
                then, otherwise, ..
            } => stack.extend(then.iter().chain(otherwise)),
            StmtKind::While { body, .. } => stack.extend(body),
            _ => {}
        }
    }
    found
}
