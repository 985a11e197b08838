//! Whether a comparison for `qsort` or `bsearch` does no more than compare.
//!
//! The standard leaves open which elements are compared, in which order and how often (C11 7.22.5). That matters only if
//! somebody can tell: if the comparison changes something, asserts something, or takes something from outside.

use std::collections::BTreeSet;

use crate::ir::visit::{self, Visit};
use crate::ir::{Base, Callee, Expr, ExprKind, FunctionId, Place, Stmt, StmtKind, Storage};

use super::Elaborator;

/// Functions of the library that only look.
const LOOKING: &[&str] = &[
    "abs",
    "bcmp",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "isspace",
    "isupper",
    "labs",
    "llabs",
    "memchr",
    "memcmp",
    "strcasecmp",
    "strchr",
    "strcmp",
    "strcoll",
    "strlen",
    "strncasecmp",
    "strncmp",
    "strrchr",
    "strstr",
    "tolower",
    "toupper",
];

impl Elaborator {
    /// Whether what a pointer leads to only compares.
    pub(super) fn only_compares(&self, pointer: &Expr) -> bool {
        match &pointer.kind {
            ExprKind::Convert(operand) => self.only_compares(operand),
            ExprKind::Function(id) => {
                let mut effects = Effects {
                    elaborator: self,
                    seen: BTreeSet::new(),
                    found: false,
                };
                effects.function(*id);
                !effects.found
            }
            _ => false,
        }
    }
}

/// What can be seen from outside of functions.
struct Effects<'e> {
    elaborator: &'e Elaborator,
    seen: BTreeSet<FunctionId>,
    found: bool,
}

impl Effects<'_> {
    fn function(&mut self, id: FunctionId) {
        if !self.seen.insert(id) {
            return;
        }
        let function = self.elaborator.program.function(id);
        let name = crate::library::plain(&function.name);
        match &function.body {
            Some(body) => self.statements(body),
            None => self.found |= !LOOKING.contains(&name),
        }
    }

    fn written(&mut self, place: &Place) {
        let is_local = match place.base {
            Base::Variable(id) => matches!(
                self.elaborator.program.variable(id).storage,
                Storage::Automatic { .. }
            ),
            Base::Deref(_) => false,
        };
        self.found |= !is_local;
    }
}

impl Visit for Effects<'_> {
    fn statement(&mut self, node: &Stmt) {
        match &node.kind {
            StmtKind::Assign(place, _) | StmtKind::Zero(place) => self.written(place),
            StmtKind::Call { callee, result, .. } => {
                match callee {
                    Callee::Function(id) => self.function(*id),
                    Callee::Pointer(..) => self.found = true,
                }
                if let Some(place) = result {
                    self.written(place);
                }
            }
            StmtKind::Assert(_) | StmtKind::Unsupported(_) => self.found = true,
            _ => {}
        }
        visit::statement(self, node);
    }
}
