//! The names in expressions.

use super::walk::{Class, Walk};
use super::{Kind, Space, Usage};
use crate::ast::{Expr, ExprKind};
use crate::print;
use crate::stack::ensure_stack;

impl Walk {
    pub(super) fn exprs(&mut self, exprs: &[Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        ensure_stack(|| self.expr_kind(expr));
    }

    fn expr_kind(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Error => {}
            ExprKind::Ident(name) | ExprKind::Primed(name) => self.value(name, Usage::Read),
            ExprKind::Call { name, args } => {
                self.refer(Space::Callable, name);
                self.exprs(args);
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Extract { operand, .. }
            | ExprKind::Old(operand)
            | ExprKind::ToInt(operand)
            | ExprKind::ToReal(operand) => self.expr(operand),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                for link in rest {
                    self.expr(&link.operand);
                }
            }
            ExprKind::Select { map, indices } => {
                self.expr(map);
                self.exprs(indices);
            }
            ExprKind::Store {
                map,
                indices,
                value,
            } => {
                self.expr(map);
                self.exprs(indices);
                self.expr(value);
            }
            ExprKind::Field { operand, field } => {
                self.expr(operand);
                self.refer(Space::Field, field);
            }
            ExprKind::FieldUpdate {
                operand,
                field,
                value,
            } => {
                self.expr(operand);
                self.refer(Space::Field, field);
                self.expr(value);
            }
            ExprKind::Is {
                operand,
                constructor,
            } => {
                self.expr(operand);
                self.refer(Space::Callable, constructor);
            }
            ExprKind::IfThenElse {
                branches,
                otherwise,
            } => {
                for (condition, value) in branches {
                    self.expr(condition);
                    self.expr(value);
                }
                self.expr(otherwise);
            }
            ExprKind::Ascription { operand, ty } => {
                self.expr(operand);
                self.ty(ty);
            }
            ExprKind::Quantifier(quantifier) => self.scoped(expr.span, |walk| {
                walk.type_params(&quantifier.type_params);
                walk.groups(&quantifier.vars, Kind::Bound);
                walk.attributes(&quantifier.attributes);
                for trigger in &quantifier.triggers {
                    walk.exprs(&trigger.exprs);
                }
                walk.expr(&quantifier.body);
            }),
            ExprKind::Let(binding) => {
                self.exprs(&binding.values);
                self.scoped(expr.span, |walk| {
                    for (index, (attributes, name)) in binding.names.iter().enumerate() {
                        walk.attributes(attributes);
                        let value = binding.values.get(index);
                        let value = value.map(|value| print::short_expr(value, walk.language));
                        let detail = format!("{} := {}", name.name, value.unwrap_or_default());
                        walk.local(Class::Value, name, Kind::Bound, name.span, detail);
                    }
                    walk.attributes(&binding.attributes);
                    walk.expr(&binding.body);
                });
            }
            ExprKind::Code(code) => self.body(&code.locals, &code.stmts, expr.span),
        }
    }
}
