//! Quantifiers, lambdas and lets.

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::{
    Attribute, AttributeArgument, Bound, Expr, ExprKind, MapType, QuantifierKind, Trigger, Type,
    TypeParameter, VarRef,
};
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
        for attribute in attributes.iter().filter(|a| a.name == "nopats") {
            if !matches!(
                attribute.args[..],
                [AttributeArgument::Expr(_) | AttributeArgument::Opaque(_)]
            ) {
                self.error(
                    Id::ATTRIBUTE_ARGUMENT,
                    "`{:nopats}` takes one argument, a term",
                    attribute.span,
                    "write it once for each term",
                );
            }
        }
        let mut triggers = self.triggers(&quantifier.triggers, &type_params, &bound);
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
            let attributes = self.attributes(&group.attributes);
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
                let mut variable = self.new_bound(&name.name, ty.clone(), name.span);
                variable.attributes.clone_from(&attributes);
                self.bind(name, VarRef::Bound(variable.id), ty.clone(), Role::Bound);
                bound.push(variable);
            }
        }
        bound
    }

    fn triggers(
        &mut self,
        triggers: &[ast::Trigger],
        type_params: &[TypeParameter],
        bound: &[Bound],
    ) -> Vec<Trigger> {
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
                self.mentions_all(trigger, &terms, type_params, bound);
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
    fn mentions_all(
        &mut self,
        trigger: &ast::Trigger,
        terms: &[Expr],
        type_params: &[TypeParameter],
        bound: &[Bound],
    ) {
        let mut mentioned = Vec::new();
        let mut types = Vec::new();
        for variable in bound {
            free_vars(&variable.ty, &mut types);
        }
        for term in terms {
            term.visit(&mut |expr| {
                if let ExprKind::Var(VarRef::Bound(id)) = &expr.kind {
                    mentioned.push(*id);
                }
                free_vars(&self.infer.expand(&expr.ty), &mut types);
                if let ExprKind::Call { type_args, .. } = &expr.kind {
                    for ty in type_args {
                        free_vars(&self.infer.expand(ty), &mut types);
                    }
                }
            });
        }
        let missing = bound
            .iter()
            .filter(|variable| !mentioned.contains(&variable.id))
            .map(|variable| &*variable.name);
        let types_missing = type_params
            .iter()
            .filter(|param| !types.contains(&param.id))
            .map(|param| &*param.name);
        let missing: Vec<&str> = missing.chain(types_missing).collect();
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
