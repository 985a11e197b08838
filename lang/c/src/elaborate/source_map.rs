//! Places in the user's text, where the parser's text is a longer one.

use ult_lang::diagnostic::Diagnostic;

use crate::ir::change::{self, Change};
use crate::ir::{Expr, Initial, Place, Program, Stmt, Storage};
use crate::parse::SourceMap;

/// Leads all places of a program and of messages back.
pub(super) fn lead_back(
    program: &mut Program,
    diagnostics: &mut [Diagnostic],
    source_map: &SourceMap,
) {
    if source_map.is_empty() {
        return;
    }
    for diagnostic in diagnostics {
        for (span, _) in &mut diagnostic.labels {
            *span = source_map.back(*span);
        }
    }
    let mut lead = LeadBack(source_map);
    for variable in &mut program.variables {
        variable.span = source_map.back(variable.span);
        if let Storage::Static {
            initial: Initial::Values(values),
            ..
        } = &mut variable.storage
        {
            for (_, value) in values {
                change::expr(&mut lead, value);
            }
        }
    }
    for function in &mut program.functions {
        function.span = source_map.back(function.span);
        change::statements(&mut lead, function.body.as_deref_mut().unwrap_or_default());
    }
}

/// Leads the places of what it passes back.
struct LeadBack<'a>(&'a SourceMap);

impl Change for LeadBack<'_> {
    fn expr(&mut self, node: &mut Expr) {
        node.span = self.0.back(node.span);
    }

    fn statement(&mut self, node: &mut Stmt) {
        node.span = self.0.back(node.span);
    }

    fn place(&mut self, node: &mut Place) {
        node.span = self.0.back(node.span);
    }
}
