//! Procedures about which nothing can be asked, by their text alone.
//!
//! Every procedure with a body is a place where runs may start. Of one that reaches neither an assertion nor a contract,
//! the graph has no error location, however large it is: to make it, with all that is inlined, would be work for nothing.

use std::collections::{BTreeMap, BTreeSet};

use ult_lang::hir::visit::statements;
use ult_lang::hir::{Procedure, ProcedureId, Program, StmtKind};

use super::walk;

/// The procedures whose graphs may have error locations. The others have none, read as whole programs.
pub(crate) fn with_obligations(program: &Program) -> BTreeSet<ProcedureId> {
    if program
        .globals
        .iter()
        .any(|global| global.where_clause.is_some())
    {
        return (0..program.procedures.len())
            .map(ProcedureId::new)
            .collect();
    }
    let mut callers: BTreeMap<ProcedureId, Vec<ProcedureId>> = BTreeMap::new();
    let mut with_obligations = BTreeSet::new();
    for (number, procedure) in program.procedures.iter().enumerate() {
        let id = ProcedureId::new(number);
        if has_contract(procedure) {
            with_obligations.insert(id);
        }
        for &body in &procedure.implementations {
            let body = &program.implementations[body.index()].body;
            if !is_harmless(body) {
                with_obligations.insert(id);
            }
            for callee in walk::callees(body) {
                callers.entry(callee).or_default().push(id);
            }
        }
    }
    let mut waiting: Vec<ProcedureId> = with_obligations.iter().copied().collect();
    while let Some(callee) = waiting.pop() {
        for &caller in callers.get(&callee).into_iter().flatten() {
            if with_obligations.insert(caller) {
                waiting.push(caller);
            }
        }
    }
    with_obligations
}

/// Whether callers or the body have to see to something.
fn has_contract(procedure: &Procedure) -> bool {
    let clauses = procedure.requires.iter().chain(&procedure.ensures);
    let variables = procedure.ins.iter().chain(&procedure.outs);
    clauses.into_iter().any(|clause| !clause.free)
        || variables
            .into_iter()
            .any(|variable| variable.where_clause.is_some())
}

/// Whether no statement is an obligation. What is not known to be none may be one.
fn is_harmless(body: &[ult_lang::hir::Stmt]) -> bool {
    let mut harmless = true;
    statements(body, &mut |statement| {
        harmless &= match &statement.kind {
            StmtKind::Assume { attributes, .. } => attributes.iter().all(|a| a.name == "undefined"),
            StmtKind::While { invariants, .. } => invariants.is_empty(),
            StmtKind::Call { attributes, .. } => attributes.is_empty(),
            StmtKind::Havoc(_)
            | StmtKind::Assign { .. }
            | StmtKind::If { .. }
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return => true,
            StmtKind::Assert { .. }
            | StmtKind::CallForall { .. }
            | StmtKind::Unsupported { .. } => false,
        };
    });
    harmless
}
