//! What a piece of program needs of the library: calls of functions without a body, and functions whose address is taken.

use std::collections::HashMap;

use crate::ir::visit::{self, Visit};
use crate::ir::{Callee, Expr, ExprKind, FunctionId, Stmt, StmtKind};
use crate::library::plain;
use crate::syntax as c;
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

impl Visit for Finder<'_, '_> {
    fn statement(&mut self, node: &Stmt) {
        if let StmtKind::Call {
            callee: Callee::Function(id),
            args,
            ..
        } = &node.kind
        {
            let call = self.elaborator.library_call(*id, args, self.definitions);
            if call.is_some() {
                let function = *id;
                self.needed.push(Needed { function, call });
            }
        }
        visit::statement(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        if let ExprKind::Function(id) = &node.kind {
            let function = self.elaborator.program.function(*id);
            if function.body.is_none() && self.definitions.contains_key(plain(&function.name)) {
                self.needed.push(Needed {
                    function: *id,
                    call: None,
                });
            }
        }
        visit::expr(self, node);
    }
}
