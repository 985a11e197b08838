//! How functions end: what does not return must not, and a result that is used must have been given (C11 6.7.4p8, 6.9.1p12).

use std::collections::BTreeSet;

use ult_lang::build::Term;
use ult_lang::stack::ensure_stack;

use super::body::Body;
use crate::ir::visit::{self, Visit};
use crate::ir::{BlockId, Callee, Expr, ExprKind, Function, FunctionId, Stmt, StmtKind};
use crate::types::Type;

/// The functions whose results are used by some call, or may be, since they are called through pointers.
#[derive(Default)]
pub(super) struct Used(BTreeSet<FunctionId>);

/// The functions whose results are used in the bodies of some functions.
pub(super) fn used<'p>(functions: impl Iterator<Item = &'p Function>) -> Used {
    let mut used = Used::default();
    for function in functions {
        used.statements(function.body.as_deref().unwrap_or_default());
    }
    used
}

impl Visit for Used {
    fn statement(&mut self, node: &Stmt) {
        if let StmtKind::Call {
            callee: Callee::Function(id),
            result: Some(_),
            ..
        } = &node.kind
        {
            self.0.insert(*id);
        }
        visit::statement(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        if let ExprKind::Function(id) = node.kind {
            self.0.insert(id);
        }
        visit::expr(self, node);
    }
}

impl Body<'_, '_> {
    /// A function returns: not so one that was declared to return never.
    pub fn check_return(&mut self) {
        let function = self.function.map(|id| self.enc.program.function(id));
        if function.is_some_and(|function| !function.returns) {
            self.unsupported("a return from a function that must not return");
        }
    }

    /// The end of the text of a function is reached, behind these statements. If somebody uses its result then, runs are
    /// none of C.
    pub fn end_of_body(&mut self, id: FunctionId, statements: &[Stmt]) {
        let mut left = Left::default();
        left.statements(statements);
        if left.end(statements) {
            return;
        }
        self.check_return();
        let program = self.enc.program;
        let has_result = program.function(id).ty.result != Type::Void;
        // Of `main` it is 0 (5.1.2.2.3).
        if has_result && program.main != Some(id) && self.enc.results.0.contains(&id) {
            let what = "the result of a function that ends without `return`";
            self.approximated(&Term::truth(true), what, |_| {});
        }
    }
}

/// The loops and blocks of a function that a statement within them leaves.
#[derive(Default)]
struct Left(BTreeSet<BlockId>);

impl Visit for Left {
    fn statement(&mut self, node: &Stmt) {
        if let StmtKind::Leave(id) = node.kind {
            self.0.insert(id);
        }
        visit::statement(self, node);
    }
}

impl Left {
    /// Whether what stands behind statements is surely not reached from them.
    fn end(&self, statements: &[Stmt]) -> bool {
        // No jump leads to where a variable's life ends: it has no label.
        let mut all = statements.iter().rev();
        let last = all.find(|statement| !matches!(statement.kind, StmtKind::End(_)));
        last.is_some_and(|last| ensure_stack(|| self.ends(last)))
    }

    fn ends(&self, statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Leave(_) => true,
            StmtKind::If(_, yes, no) => self.end(yes) && self.end(no),
            StmtKind::Loop(id, _) => !self.0.contains(id),
            StmtKind::Block(id, body) => !self.0.contains(id) && self.end(body),
            _ => false,
        }
    }
}
