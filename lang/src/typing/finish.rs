//! The end of inference: unknowns out of a finished formula.

use crate::diagnostic::Id;
use crate::hir::visit::mutable::{VisitMut, walk_expr};
use crate::hir::{Attribute, BinaryOp, Expr, ExprKind, Type};
use crate::resolve::message::Message;
use crate::span::Span;
use crate::visit::each;

use super::Checker;
use super::infer::Ambiguous;

impl Checker<'_> {
    /// Replaces the unknowns in a complete formula and settles how its divisions are read. Formulas that share
    /// unknowns (those of one statement) must all be complete before the first one is finished.
    pub(super) fn finish(&mut self, expr: &mut Expr) {
        self.settle();
        let mut finish = Finish::new(self);
        finish.visit_expr(expr);
        let ambiguous = finish.ambiguous;
        self.report_ambiguous(ambiguous);
    }

    pub(super) fn finish_attributes(&mut self, attributes: &mut [Attribute]) {
        self.settle();
        let mut finish = Finish::new(self);
        each!(finish.visit_attribute(attributes));
        let ambiguous = finish.ambiguous;
        self.report_ambiguous(ambiguous);
    }

    pub(super) fn finish_type(&mut self, ty: &mut Type) {
        self.settle();
        let mut ambiguous = Vec::new();
        *ty = self.infer.finish(ty, &mut ambiguous);
        self.report_ambiguous(ambiguous);
    }

    fn report_ambiguous(&mut self, ambiguous: Vec<Ambiguous>) {
        if self.has_errors_since(0) {
            return;
        }
        for unknown in ambiguous {
            self.tell_ambiguous(&unknown.name, &Type::Int, unknown.span);
        }
    }

    fn finish_ty(&mut self, ty: &mut Type, span: Span, ambiguous: &mut Vec<Ambiguous>) {
        if matches!(
            ty,
            Type::Bool | Type::Int | Type::Real | Type::BitVec(_) | Type::Error
        ) {
            return;
        }
        *ty = self.infer.finish(ty, ambiguous);
        if *ty == Type::Error && !self.has_errors_since(0) {
            self.error(
                Id::TYPE_TOO_LARGE,
                "the type of this expression is too large",
                span,
                "inferred here",
            );
        }
    }

    /// A division of ints whose result is an int is the integer division; other operands of `/` become reals.
    fn settle_division(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let ExprKind::Binary(op @ BinaryOp::RealDiv, left, right) = &mut expr.kind else {
            return;
        };
        if expr.ty == Type::Int {
            *op = BinaryOp::IntDiv;
            if !std::mem::replace(&mut self.warned_division, true) {
                let message = Message::warning(
                    Id::INTEGER_DIVISION,
                    "`/` is read as the integer division here",
                    self.place(span),
                    "an int is wanted",
                )
                .with_help("Boogie's `/` yields a real; write `div`. Said once per declaration");
                self.messages.push(message);
            }
            return;
        }
        for operand in [left, right] {
            if operand.ty == Type::Int {
                let span = operand.span;
                let int = std::mem::replace(&mut **operand, Expr::error(span));
                **operand = Expr::new(ExprKind::IntToReal(Box::new(int)), Type::Real, span);
            }
        }
    }
}

/// Replaces the unknowns in the types of a formula.
struct Finish<'c, 'e> {
    checker: &'c mut Checker<'e>,
    /// The place of the expression that the types at hand belong to.
    span: Span,
    ambiguous: Vec<Ambiguous>,
}

impl<'c, 'e> Finish<'c, 'e> {
    fn new(checker: &'c mut Checker<'e>) -> Self {
        Finish {
            checker,
            span: Span::default(),
            ambiguous: Vec::new(),
        }
    }
}

impl VisitMut for Finish<'_, '_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        let outer = std::mem::replace(&mut self.span, expr.span);
        walk_expr(self, expr);
        self.span = outer;
        self.checker.complete(expr);
        self.checker.settle_division(expr);
    }

    fn visit_type(&mut self, ty: &mut Type) {
        self.checker.finish_ty(ty, self.span, &mut self.ambiguous);
    }
}
