//! Quantifiers, lambdas, lets, and code expressions.

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::{
    Attribute, AttributeArgument, Bound, BoundId, Expr, ExprKind, MapType, QuantifierKind, Trigger,
    Type, VarRef,
};
use crate::resolve::message::Message;
use crate::resolve::types::{canonical, count, declared_twice, free_vars, unused_type_variable};
use crate::span::Span;

use super::{Checker, Role};

impl Checker<'_> {
    pub(super) fn quantifier(&mut self, quantifier: &ast::Quantifier, span: Span) -> Expr {
        self.no_binder_in_trigger(span);
        let types = self.type_scope.len();
        let names = self.mark();
        let type_params = self.new_type_params(&quantifier.type_params);
        let bound = self.bind_group(&quantifier.vars);
        let mut attributes = self.attributes(&quantifier.attributes);
        let mut triggers = self.triggers(&quantifier.triggers, &bound);
        take_nopats(&mut attributes, &mut triggers);
        let body = self.expr(&quantifier.body);
        self.release(names);
        self.type_scope.truncate(types);
        let kind = match quantifier.binder {
            ast::Binder::Forall => QuantifierKind::Forall,
            ast::Binder::Exists => QuantifierKind::Exists,
            ast::Binder::Lambda => {
                let mut free = Vec::new();
                for variable in &bound {
                    free_vars(&variable.ty, &mut free);
                }
                for (param, name) in type_params.iter().zip(&quantifier.type_params) {
                    if !free.contains(&param.id)
                        && !bound.iter().any(|variable| variable.ty == Type::Error)
                    {
                        let message = unused_type_variable(
                            name,
                            self.item,
                            "the types of the lambda's variables",
                        );
                        self.messages.push(message);
                    }
                }
                let ty = canonical(&Type::Map(Box::new(MapType {
                    type_params: type_params.iter().map(|param| param.id).collect(),
                    domain: bound.iter().map(|variable| variable.ty.clone()).collect(),
                    range: self.infer.expand(&body.ty),
                })));
                let body = Box::new(body);
                return Expr::new(
                    ExprKind::Lambda {
                        type_params,
                        bound,
                        body,
                        attributes,
                    },
                    ty,
                    span,
                );
            }
        };
        self.expect(&body, &Type::Bool, "the body of a quantifier");
        let body = Box::new(body);
        Expr::new(
            ExprKind::Quantifier {
                kind,
                type_params,
                bound,
                triggers,
                body,
                attributes,
            },
            Type::Bool,
            span,
        )
    }

    fn no_binder_in_trigger(&mut self, span: Span) {
        if self.in_trigger {
            self.error(
                Id::TRIGGER_TERM,
                "a quantifier may not occur in a trigger",
                span,
                "solvers match triggers against terms, not against formulas",
            );
        }
    }

    /// Binds variables with their types.
    fn bind_group(&mut self, groups: &[ast::TypedIdents]) -> Vec<Bound> {
        let mark = self.mark();
        let mut bound = Vec::new();
        for group in groups {
            let ty = self.resolve_type(&group.ty);
            for name in &group.names {
                if let Some(first) = self.bound_since(mark, &name.name) {
                    self.messages.push(declared_twice(
                        "bound variable",
                        name,
                        self.item,
                        Some(first),
                    ));
                    continue;
                }
                let variable = self.new_bound(&name.name, ty.clone(), name.span);
                self.bind(name, VarRef::Bound(variable.id), ty.clone(), Role::Bound);
                bound.push(variable);
            }
        }
        bound
    }

    fn triggers(&mut self, triggers: &[ast::Trigger], bound: &[Bound]) -> Vec<Trigger> {
        let nested = std::mem::replace(&mut self.in_trigger, true);
        let mut result = Vec::new();
        for trigger in triggers {
            let mark = self.messages.len();
            let terms = self.exprs(&trigger.exprs);
            for term in &terms {
                if matches!(term.kind, ExprKind::Var(_)) {
                    self.error(
                        Id::TRIGGER_TERM,
                        "a trigger must be more than a variable",
                        term.span,
                        "apply a function or select from a map",
                    );
                }
            }
            if !self.has_errors_since(mark) {
                self.mentions_all(trigger, &terms, bound);
            }
            result.push(Trigger {
                positive: true,
                terms,
                span: trigger.span,
            });
        }
        self.in_trigger = nested;
        result
    }

    /// Every trigger must mention all bound variables, or matching it would not determine an instance.
    fn mentions_all(&mut self, trigger: &ast::Trigger, terms: &[Expr], bound: &[Bound]) {
        let mut mentioned = Vec::new();
        for term in terms {
            term.visit(&mut |expr| {
                if let ExprKind::Var(VarRef::Bound(id)) = &expr.kind {
                    mentioned.push(*id);
                }
            });
        }
        let missing: Vec<&str> = bound
            .iter()
            .filter(|variable| !mentioned.contains(&variable.id))
            .map(|variable| &*variable.name)
            .collect();
        if !missing.is_empty() {
            self.error(
                Id::TRIGGER_VARIABLES,
                format!("the trigger does not mention `{}`", missing.join("`, `")),
                trigger.span,
                "a trigger must mention all variables of its quantifier",
            );
        }
    }

    pub(super) fn let_(&mut self, binding: &ast::Let, span: Span) -> Expr {
        let mut values = self.exprs(&binding.values);
        if values.len() != binding.names.len() {
            self.error(
                Id::VALUE_COUNT,
                format!(
                    "{} for {}",
                    count(values.len(), "value"),
                    count(binding.names.len(), "name")
                ),
                span,
                "each name of a let needs one value",
            );
        }
        let mark = self.mark();
        let mut bound = Vec::new();
        let mut attributes = Vec::new();
        for (index, (name_attributes, name)) in binding.names.iter().enumerate() {
            attributes.extend(self.attributes(name_attributes));
            if let Some(first) = self.bound_since(mark, &name.name) {
                self.messages.push(declared_twice(
                    "let-bound name",
                    name,
                    self.item,
                    Some(first),
                ));
            }
            let ty = values
                .get(index)
                .map_or(Type::Error, |value| value.ty.clone());
            let variable = self.new_bound(&name.name, ty.clone(), name.span);
            self.bind(name, VarRef::Bound(variable.id), ty, Role::Let);
            bound.push(variable);
        }
        attributes.extend(self.attributes(&binding.attributes));
        let body = self.expr(&binding.body);
        self.release(mark);
        let ty = body.ty.clone();
        if values.len() != bound.len() {
            values.clear();
            let mut error = Expr::error(span);
            error.ty = ty;
            return error;
        }
        Expr::new(
            ExprKind::Let {
                bound,
                values,
                body: Box::new(body),
                attributes,
            },
            ty,
            span,
        )
    }

    /// A code expression: its statements are checked, but nothing later understands it.
    pub(super) fn code(&mut self, code: &ast::CodeExpr, span: Span) -> Expr {
        // The unknowns of the enclosing formula must survive the statements inside.
        let infer = std::mem::take(&mut self.infer);
        let state = self.state;
        let (writes, calls) = (self.writes.len(), self.calls.len());
        let body = std::mem::take(&mut self.body);
        self.body.in_code = true;
        let mark = self.mark();
        for local in &code.locals {
            for group in &local.groups {
                let ty = self.resolve_type(&group.ty);
                for name in &group.names {
                    if let Some(first) = self.bound_since(mark, &name.name) {
                        self.messages.push(declared_twice(
                            "local variable",
                            name,
                            self.item,
                            Some(first),
                        ));
                    }
                    // No later stage looks inside, so the number does not matter.
                    self.bind(
                        name,
                        VarRef::Bound(BoundId(u32::MAX)),
                        ty.clone(),
                        Role::Local,
                    );
                }
            }
        }
        self.statements(&code.stmts);
        self.release(mark);
        self.body = body;
        self.state = state;
        self.infer = infer;
        self.writes.truncate(writes);
        self.calls.truncate(calls);
        let message = Message::warning(
            Id::UNSUPPORTED,
            "a code expression is not supported",
            self.place(span),
            "what depends on its value is answered with UNKNOWN",
        );
        self.messages.push(message);
        Expr::new(
            ExprKind::Unsupported {
                what: "code expression",
            },
            Type::Bool,
            span,
        )
    }
}

/// Turns the attribute `{:nopats e}` into what it is, a trigger that must not be used.
fn take_nopats(attributes: &mut Vec<Attribute>, triggers: &mut Vec<Trigger>) {
    let mut kept = Vec::new();
    for attribute in attributes.drain(..) {
        let all_terms = attribute
            .args
            .iter()
            .all(|arg| matches!(arg, AttributeArgument::Expr(_)));
        if attribute.name != "nopats" || attribute.args.is_empty() || !all_terms {
            kept.push(attribute);
            continue;
        }
        let terms = attribute
            .args
            .into_iter()
            .filter_map(|arg| match arg {
                AttributeArgument::Expr(term) => Some(term),
                _ => None,
            })
            .collect();
        triggers.push(Trigger {
            positive: false,
            terms,
            span: attribute.span,
        });
    }
    *attributes = kept;
}
