//! What a piece of program needs of the library: calls of functions without a body, and functions whose address is taken.

use std::collections::HashMap;

use lang_c::ast as c;
use ult_lang::stack::ensure_stack;

use crate::ir::{Base, Callee, Expr, ExprKind, FunctionId, Place, Step, Stmt, StmtKind};
use crate::library::plain;
use crate::types::Type;

use super::Elaborator;

/// The definitions of the library by their names.
pub(super) type Definitions<'l> = HashMap<&'l str, &'l c::FunctionDefinition>;

/// A function that something needs.
pub(super) struct Needed {
    /// Which one is called or has its address taken.
    pub(super) function: FunctionId,
    /// For a call, the type of the objects that it is about, and the name of the library's function.
    pub(super) call: Option<(Type, String)>,
}

/// What a piece of program needs of the library.
pub(super) struct Finder<'e, 'l> {
    pub(super) elaborator: &'e Elaborator,
    pub(super) definitions: &'e Definitions<'l>,
    pub(super) needed: Vec<Needed>,
}

impl Finder<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        ensure_stack(|| {
            for stmt in statements {
                self.statement(stmt);
            }
        });
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            StmtKind::Zero(place) => self.place(place),
            StmtKind::Call {
                callee,
                args,
                result,
            } => {
                match callee {
                    Callee::Function(id) => {
                        let call = self.elaborator.library_call(*id, args, self.definitions);
                        if call.is_some() {
                            let function = *id;
                            self.needed.push(Needed { function, call });
                        }
                    }
                    Callee::Pointer(pointer, _) => self.expr(pointer),
                }
                args.iter().for_each(|arg| self.expr(arg));
                if let Some(place) = result {
                    self.place(place);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::Loop(_, body) | StmtKind::Block(_, body) => self.statements(body),
            StmtKind::Return(Some(value)) | StmtKind::Assert(value) => self.expr(value),
            StmtKind::Declare(_)
            | StmtKind::Leave(_)
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Return(None)
            | StmtKind::Unsupported(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        if let Base::Deref(pointer) = &place.base {
            self.expr(pointer);
        }
        for step in &place.path {
            if let Step::Index(index) = step {
                self.expr(index);
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        ensure_stack(|| match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unsupported(_) => {}
            ExprKind::Function(id) => {
                let function = self.elaborator.program.function(*id);
                if function.body.is_none() && self.definitions.contains_key(plain(&function.name)) {
                    self.needed.push(Needed {
                        function: *id,
                        call: None,
                    });
                }
            }
            ExprKind::Read(place) | ExprKind::Address(place) => self.place(place),
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
                self.expr(operand);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Difference(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.expr(pointer);
                self.expr(index);
            }
        });
    }
}
