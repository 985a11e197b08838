//! Assignments: plain ones, those to parts of a value, and those that take a value apart.

use std::collections::HashMap;

use crate::ast::{self, PathStep};
use crate::diagnostic::Id;
use crate::hir::{Expr, ExprKind, Stmt, StmtKind, Type, VarRef};
use crate::resolve::environment::Callable;
use crate::resolve::message::{Message, Place};
use crate::resolve::types::count;
use crate::span::Span;

use super::{Checker, Role};

/// How many steps the left side of an assignment may have; the whole-map form is quadratic in it.
pub(crate) const MAX_PATH: usize = 500;

impl Checker<'_> {
    /// A variable that a statement writes; reports one that cannot be written.
    pub(super) fn target(&mut self, name: &ast::Ident) -> Option<(VarRef, Type)> {
        let (var, ty) = self.variable(name)?;
        let role = self
            .entry(&name.name)
            .map(|entry| (entry.role, entry.place));
        let problem: Option<(&str, Place)> = match (var, role) {
            (VarRef::Global(id), _) => {
                self.writes.push((id, name.span));
                None
            }
            (VarRef::Constant(id), _) => self
                .env
                .constants
                .get(id.index())
                .map(|info| ("a constant", info.place)),
            (_, Some((Role::Local | Role::Out, _))) => None,
            (_, Some((Role::In, place))) => Some(("an in-parameter", place)),
            (_, Some((_, place))) => Some(("bound in a formula", place)),
            (_, None) => None,
        };
        if let Some((what, declared)) = problem {
            let message = Message::error(
                Id::NOT_ASSIGNABLE,
                format!("`{}` cannot be assigned to: it is {what}", name.name),
                self.place(name.span),
                "only globals, out-parameters and local variables can be written",
            )
            .with_label(declared, "declared here");
            self.messages.push(message);
            return None;
        }
        Some((var, ty))
    }

    /// Reports variables that one statement writes twice.
    pub(super) fn written_once(&mut self, targets: &[(VarRef, Span)], names: &[&ast::Ident]) {
        let mut seen: HashMap<VarRef, Span> = HashMap::new();
        for ((var, span), name) in targets.iter().zip(names) {
            if let Some(first) = seen.insert(*var, *span) {
                let message = Message::error(
                    Id::ASSIGNED_TWICE,
                    format!("`{}` is assigned to twice at once", name.name),
                    self.place(*span),
                    "which of the two values it gets is not said",
                )
                .with_label(self.place(first), "first assigned here");
                self.messages.push(message);
            }
        }
    }

    pub(super) fn assign(
        &mut self,
        targets: &[ast::AssignTarget],
        values: &[ast::Expr],
        span: Span,
    ) -> Vec<(VarRef, Expr)> {
        let values = self.exprs(values);
        if targets.len() != values.len() {
            self.error(
                Id::VALUE_COUNT,
                format!(
                    "{} for {}",
                    count(values.len(), "value"),
                    count(targets.len(), "variable")
                ),
                span,
                "as many values as variables are needed",
            );
        }
        let mut values = values.into_iter();
        let mut pairs = Vec::new();
        let mut written = Vec::new();
        let mut names = Vec::new();
        for target in targets {
            let value = values.next();
            let resolved = self.target(&target.name);
            let Some((var, ty)) = resolved else {
                for step in &target.path {
                    if let PathStep::Index(indices, _) = step {
                        self.exprs(indices);
                    }
                }
                continue;
            };
            written.push((var, target.name.span));
            names.push(&target.name);
            let value = value.unwrap_or_else(|| Expr::error(span));
            let new = if target.path.is_empty() {
                self.expect(
                    &value,
                    &ty,
                    &format!("the value assigned to `{}`", target.name.name),
                );
                value
            } else if target.path.len() > MAX_PATH {
                self.error(
                    Id::TYPE_TOO_LARGE,
                    format!("the left side has more than {MAX_PATH} steps"),
                    target.span,
                    "assign to parts of it one after the other",
                );
                continue;
            } else {
                let base = Expr::new(ExprKind::Var(var), ty, target.name.span);
                self.replace_part(base, &target.path, value)
            };
            pairs.push((var, new));
        }
        self.written_once(&written, &names);
        for (_, value) in &mut pairs {
            self.finish(value);
        }
        pairs
    }

    /// `base` with the part that the path leads to replaced by the value: `a` with `[i][j]` and `e` becomes
    /// `a[i := a[i][j := e]]`.
    fn replace_part(&mut self, base: Expr, path: &[PathStep], value: Expr) -> Expr {
        // The way down: what stands at each step.
        let mut parts: Vec<(Expr, Vec<Expr>, Span)> = Vec::new();
        let mut current = base;
        for (position, step) in path.iter().enumerate() {
            let last = position + 1 == path.len();
            let (indices, next, span) = match step {
                PathStep::Index(indices, span) => {
                    let indices = self.exprs(indices);
                    let span = current.span.join(*span);
                    let next = (!last).then(|| self.select(current.clone(), indices.clone(), span));
                    (indices, next, span)
                }
                PathStep::Field(name) => {
                    let span = current.span.join(name.span);
                    let next = (!last).then(|| self.field(current.clone(), name, span));
                    (Vec::new(), next, span)
                }
            };
            let following = next.unwrap_or_else(|| Expr::error(span));
            parts.push((std::mem::replace(&mut current, following), indices, span));
        }
        // The way back: each step's part with the one below it replaced.
        let mut result = value;
        for (step, (part, indices, span)) in path.iter().zip(parts).rev() {
            result = match step {
                PathStep::Index(..) => self.store(part, indices, result, span),
                PathStep::Field(name) => self.field_update(part, name, result, span),
            };
        }
        result
    }

    /// `C(x, y) := e;` asserts that `e` was built by `C` and assigns its fields.
    pub(super) fn unpack(
        &mut self,
        name: &ast::Ident,
        targets: &[ast::Ident],
        value: &ast::Expr,
        span: Span,
        result: &mut Vec<Stmt>,
    ) {
        let value = self.expr(value);
        let resolved: Vec<Option<(VarRef, Type)>> =
            targets.iter().map(|target| self.target(target)).collect();
        let (written, names): (Vec<_>, Vec<_>) = targets
            .iter()
            .zip(&resolved)
            .filter_map(|(target, resolved)| {
                let (var, _) = resolved.as_ref()?;
                Some(((*var, target.span), target))
            })
            .unzip();
        self.written_once(&written, &names);
        let Some(Callable::Constructor(datatype, constructor)) =
            self.env.callables.get(&name.name).copied()
        else {
            if self.env.callables.contains_key(&name.name) {
                self.error(
                    Id::UNKNOWN_CONSTRUCTOR,
                    format!("`{}` is a function, not a constructor", name.name),
                    name.span,
                    "only values built by constructors can be taken apart",
                );
            } else {
                self.unknown_function(name);
            }
            return;
        };
        let Some(info) = self.env.datatypes.get(datatype.index()) else {
            return;
        };
        let Some(constructor_info) = info.constructors.get(constructor) else {
            return;
        };
        let type_args = self.instantiate(&info.type_params, span);
        if !self.expect(
            &value,
            &Type::Datatype(datatype, type_args),
            "the value that is taken apart",
        ) {
            return;
        }
        if constructor_info.fields.len() != targets.len() {
            let message = Message::error(
                Id::ARGUMENT_COUNT,
                format!(
                    "the constructor `{}` has {}, not {}",
                    name.name,
                    count(constructor_info.fields.len(), "field"),
                    targets.len()
                ),
                self.place(name.span),
                format!("{} given", count(targets.len(), "variable")),
            )
            .with_label(constructor_info.place, "declared here");
            self.messages.push(message);
            return;
        }
        let mut pairs = Vec::new();
        for ((target, resolved), field) in
            targets.iter().zip(resolved).zip(&constructor_info.fields)
        {
            let Some(field_info) = info.fields.get(*field) else {
                continue;
            };
            let field_name = ast::Ident::new(field_info.name.clone(), target.span);
            let part = self.field(value.clone(), &field_name, value.span);
            let Some((var, ty)) = resolved else { continue };
            self.expect(
                &part,
                &ty,
                &format!("the value assigned to `{}`", target.name),
            );
            pairs.push((var, part));
        }
        let is = ExprKind::Is {
            datatype,
            constructor,
            value: Box::new(value),
        };
        let mut condition = Expr::new(is, Type::Bool, span);
        self.finish(&mut condition);
        for (_, part) in &mut pairs {
            self.finish(part);
        }
        result.push(Stmt::new(
            StmtKind::Assert {
                condition,
                attributes: Vec::new(),
            },
            span,
        ));
        result.push(Stmt::new(StmtKind::Assign { pairs }, span));
    }
}
