//! Makes the places in a declaration's tree relative to its start.

use crate::ast::visit::mutable::VisitMut;
use crate::ast::{Decl, Graph};
use crate::span::Span;

/// Where a declaration starts.
pub(super) fn start(decl: &Decl) -> u32 {
    match decl {
        Decl::Type(decl) => decl.span,
        Decl::Datatype(decl) => decl.span,
        Decl::Const(decl) => decl.span,
        Decl::Function(decl) => decl.span,
        Decl::Axiom(decl) => decl.span,
        Decl::Var(decl) => decl.span,
        Decl::Procedure(decl) => decl.span,
        Decl::Implementation(decl) => decl.span,
        Decl::Error(span) => *span,
    }
    .start
}

/// Makes all places in the declaration relative to its start.
pub(super) fn decl(decl: &mut Decl) {
    Relative { start: start(decl) }.visit_decl(decl);
}

/// Makes all places in the graph relative to its start.
pub(super) fn graph(graph: &mut Graph) {
    Relative {
        start: graph.span.start,
    }
    .visit_graph(graph);
}

struct Relative {
    start: u32,
}

impl VisitMut for Relative {
    fn visit_span(&mut self, span: &mut Span) {
        span.start = span.start.saturating_sub(self.start);
        span.end = span.end.saturating_sub(self.start);
    }
}
