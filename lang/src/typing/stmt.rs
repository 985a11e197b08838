//! Statements.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast::{self, PathStep, StmtKind as Ast};
use crate::diagnostic::Id;
use crate::hir::{
    BlockId, Condition, Expr, ExprKind, Label, LabelId, ProcedureId, Stmt, StmtKind, Type, VarRef,
};
use crate::resolve::environment::{Callable, ProcedureInfo};
use crate::resolve::message::{Message, Place};
use crate::resolve::types::{count, declared_twice, substitute_params};
use crate::span::Span;
use crate::stack::ensure_stack;

use super::{Checker, Role};

/// How many steps the left side of an assignment may have; the whole-map form is quadratic in it.
const MAX_PATH: usize = 500;

/// What statements need to know about the body they are in.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// The labels by name.
    by_name: HashMap<Arc<str>, LabelId>,
    /// The labels by id.
    pub(super) labels: Vec<Label>,
    /// The `if`s and `while`s around the statement at hand.
    open: Vec<OpenBlock>,
    next_block: u32,
    /// Whether this is the body of a code expression.
    pub(super) in_code: bool,
}

#[derive(Debug)]
struct OpenBlock {
    id: BlockId,
    is_loop: bool,
    labels: Vec<Arc<str>>,
}

impl<'e> Checker<'e> {
    /// The statements of a whole body.
    pub(super) fn statements(&mut self, stmts: &[ast::Stmt]) -> Vec<Stmt> {
        self.collect_labels(stmts);
        self.block(stmts)
    }

    fn collect_labels(&mut self, stmts: &[ast::Stmt]) {
        ensure_stack(|| {
            for stmt in stmts {
                match &stmt.kind {
                    Ast::Label(name) => {
                        if let Some(first) = self.body.by_name.get(&name.name) {
                            let first = self
                                .body
                                .labels
                                .get(first.index())
                                .map(|label| self.place(label.span));
                            self.messages
                                .push(declared_twice("label", name, self.item, first));
                            continue;
                        }
                        let id = LabelId::new(self.body.labels.len());
                        self.body.by_name.insert(name.name.clone(), id);
                        self.body.labels.push(Label {
                            name: name.name.to_string(),
                            span: name.span,
                        });
                    }
                    Ast::If {
                        branches,
                        otherwise,
                    } => {
                        for (_, block) in branches {
                            self.collect_labels(&block.stmts);
                        }
                        if let Some(block) = otherwise {
                            self.collect_labels(&block.stmts);
                        }
                    }
                    Ast::While { body, .. } => self.collect_labels(&body.stmts),
                    Ast::Unsupported(ast::Unsupported::Atomic(block)) => {
                        self.collect_labels(&block.stmts)
                    }
                    _ => {}
                }
            }
        })
    }

    fn block(&mut self, stmts: &[ast::Stmt]) -> Vec<Stmt> {
        let mut result = Vec::with_capacity(stmts.len());
        // The labels directly in front of the statement: an `if` or `while` can be left by them.
        let mut labels: Vec<Arc<str>> = Vec::new();
        for stmt in stmts {
            if let Ast::Label(name) = &stmt.kind {
                labels.push(name.name.clone());
                if let Some(id) = self.body.by_name.get(&name.name) {
                    // Of two labels with one name only the first one counts.
                    let first = self
                        .body
                        .labels
                        .get(id.index())
                        .is_some_and(|label| label.span == name.span);
                    if first {
                        result.push(Stmt::new(StmtKind::Label(*id), stmt.span));
                    }
                }
                continue;
            }
            ensure_stack(|| self.statement(stmt, std::mem::take(&mut labels), &mut result));
            self.infer.clear();
        }
        result
    }

    fn statement(&mut self, stmt: &ast::Stmt, labels: Vec<Arc<str>>, result: &mut Vec<Stmt>) {
        let span = stmt.span;
        let kind = match &stmt.kind {
            Ast::Label(_) | Ast::Error => return,
            Ast::Assert(condition) => StmtKind::Assert {
                condition: self.condition(condition, "an assertion"),
                attributes: self.finished_attributes(&stmt.attributes),
            },
            Ast::Assume(condition) => StmtKind::Assume {
                condition: self.condition(condition, "an assumption"),
                attributes: self.finished_attributes(&stmt.attributes),
            },
            Ast::Havoc(names) => StmtKind::Havoc(
                names
                    .iter()
                    .filter_map(|name| self.target(name))
                    .map(|(var, _)| var)
                    .collect(),
            ),
            Ast::Assign { targets, values } => StmtKind::Assign {
                pairs: self.assign(targets, values, span),
            },
            Ast::Unpack {
                constructor,
                targets,
                value,
            } => {
                self.unpack(constructor, targets, value, span, result);
                return;
            }
            Ast::Call { free, call } => {
                let Some((callee, type_args, args, results)) = self.call_statement(call) else {
                    return;
                };
                let mut attributes = self.finished_attributes(&call.attributes);
                attributes.extend(self.finished_attributes(&stmt.attributes));
                StmtKind::Call {
                    callee,
                    type_args,
                    args,
                    results,
                    free: *free,
                    attributes,
                }
            }
            Ast::CallForall { name, args } => {
                let Some((callee, type_args, args)) = self.call_forall(name, args, span) else {
                    return;
                };
                let attributes = self.finished_attributes(&stmt.attributes);
                StmtKind::CallForall {
                    callee,
                    type_args,
                    args,
                    attributes,
                }
            }
            Ast::If {
                branches,
                otherwise,
            } => {
                result.extend(self.if_statement(branches, otherwise.as_ref(), labels, span));
                return;
            }
            Ast::While {
                guard,
                invariants,
                body,
            } => {
                let condition = self.guard(guard, "the condition of `while`");
                let invariants = invariants
                    .iter()
                    .map(|invariant| Condition {
                        expr: self.condition(&invariant.expr, "a loop invariant"),
                        free: invariant.free,
                        attributes: self.finished_attributes(&invariant.attributes),
                        span: invariant.span,
                    })
                    .collect();
                let id = self.open_block(true, labels);
                let body = self.block(&body.stmts);
                self.body.open.pop();
                StmtKind::While {
                    id,
                    condition,
                    invariants,
                    body,
                }
            }
            Ast::Break(label) => match self.break_target(label.as_ref(), span) {
                Some(id) => StmtKind::Break(id),
                None => return,
            },
            Ast::Goto(names) => StmtKind::Goto(
                names
                    .iter()
                    .filter_map(|name| self.goto_target(name))
                    .collect(),
            ),
            Ast::Return(value) => {
                self.return_value(value.as_ref(), span);
                StmtKind::Return
            }
            Ast::Unsupported(unsupported) => {
                let what = self.unsupported(unsupported);
                let message = Message::warning(
                    Id::UNSUPPORTED,
                    format!("this {what} is not supported"),
                    self.place(span),
                    "what reaches it is answered with UNKNOWN",
                );
                self.messages.push(message);
                StmtKind::Unsupported { what }
            }
        };
        result.push(Stmt::new(kind, span));
    }

    // Control.

    fn open_block(&mut self, is_loop: bool, labels: Vec<Arc<str>>) -> BlockId {
        let id = BlockId(self.body.next_block);
        self.body.next_block += 1;
        self.body.open.push(OpenBlock {
            id,
            is_loop,
            labels,
        });
        id
    }

    fn guard(&mut self, guard: &ast::Guard, why: &str) -> Option<Expr> {
        match guard {
            ast::Guard::Any(_) => None,
            ast::Guard::Expr(expr) => {
                let condition = self.condition(expr, why);
                self.infer.clear();
                Some(condition)
            }
        }
    }

    /// `if ... else if ... else`: each `else if` becomes an `if` in the other branch.
    fn if_statement(
        &mut self,
        branches: &[(ast::Guard, ast::Block)],
        otherwise: Option<&ast::Block>,
        labels: Vec<Arc<str>>,
        span: Span,
    ) -> Option<Stmt> {
        let outer = self.open_block(false, labels);
        let mut checked = Vec::new();
        for (index, (guard, block)) in branches.iter().enumerate() {
            let id = if index == 0 {
                outer
            } else {
                let id = BlockId(self.body.next_block);
                self.body.next_block += 1;
                id
            };
            let start = match guard {
                ast::Guard::Any(span) => *span,
                ast::Guard::Expr(expr) => expr.span,
            };
            let condition = self.guard(guard, "the condition of `if`");
            checked.push((id, start, condition, self.block(&block.stmts)));
        }
        let mut rest = otherwise
            .map(|block| self.block(&block.stmts))
            .unwrap_or_default();
        self.body.open.pop();
        while let Some((id, start, condition, then)) = checked.pop() {
            let own = if checked.is_empty() {
                span
            } else {
                Span {
                    start: start.start,
                    end: span.end,
                }
            };
            let kind = StmtKind::If {
                id,
                condition,
                then,
                otherwise: rest,
            };
            let stmt = Stmt::new(kind, own);
            if checked.is_empty() {
                return Some(stmt);
            }
            rest = vec![stmt];
        }
        None
    }

    fn break_target(&mut self, label: Option<&ast::Ident>, span: Span) -> Option<BlockId> {
        let found = match label {
            None => self.body.open.iter().rev().find(|block| block.is_loop),
            Some(label) => self
                .body
                .open
                .iter()
                .rev()
                .find(|block| block.labels.contains(&label.name)),
        };
        if let Some(block) = found {
            return Some(block.id);
        }
        let message = match label {
            None => Message::error(
                Id::BREAK_TARGET,
                "`break` outside of a loop",
                self.place(span),
                "there is no loop to leave",
            ),
            Some(label) => Message::error(
                Id::BREAK_TARGET,
                format!(
                    "`{}` does not label a statement around this `break`",
                    label.name
                ),
                self.place(label.span),
                "no enclosing `if` or `while` has this label directly in front of it",
            ),
        };
        self.messages.push(message);
        None
    }

    fn goto_target(&mut self, name: &ast::Ident) -> Option<LabelId> {
        if let Some(id) = self.body.by_name.get(&name.name) {
            return Some(*id);
        }
        let help = self.suggest(&name.name, |checker| {
            checker
                .body
                .labels
                .iter()
                .map(|label| label.name.as_str())
                .collect()
        });
        let message = Message::error(
            Id::UNKNOWN_LABEL,
            format!("there is no label `{}` in this body", name.name),
            self.place(name.span),
            "unknown label",
        )
        .with_optional_help(help);
        self.messages.push(message);
        None
    }

    fn return_value(&mut self, value: Option<&ast::Expr>, span: Span) {
        match (self.body.in_code, value) {
            (true, Some(value)) => {
                self.condition(value, "the value of a code expression");
            }
            (false, None) | (true, None) => {}
            (false, Some(value)) => {
                self.expr(value);
                let message = Message::error(
                    Id::RETURN_VALUE,
                    "a procedure does not return a value",
                    self.place(span),
                    "`return e;` belongs into code expressions",
                )
                .with_help("assign the value to an out-parameter before `return;`");
                self.messages.push(message);
            }
        }
    }

    // Assignments.

    /// A variable that a statement writes; reports one that cannot be written.
    fn target(&mut self, name: &ast::Ident) -> Option<(VarRef, Type)> {
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
    fn written_once(&mut self, targets: &[(VarRef, Span)], names: &[&ast::Ident]) {
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

    fn assign(
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
    fn unpack(
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

    // Calls.

    fn callee(&mut self, name: &ast::Ident) -> Option<(ProcedureId, &'e ProcedureInfo)> {
        if let Some(found) = self.env.procedure(&name.name) {
            if self.pure_ && !found.1.pure_ {
                let message = Message::error(
                    Id::PURE_PROCEDURE,
                    format!("a pure procedure calls `{}`, which is not pure", name.name),
                    self.place(name.span),
                    "only pure procedures may be called here",
                )
                .with_label(found.1.place, "declared here");
                self.messages.push(message);
            }
            return Some(found);
        }
        let help = if self.env.callables.contains_key(&name.name) {
            Some(format!(
                "`{0}` is a function; use it in an expression: `x := {0}(...);`",
                name.name
            ))
        } else {
            self.suggest(&name.name, |checker| {
                checker
                    .env
                    .procedure_names
                    .keys()
                    .map(|name| &**name)
                    .collect()
            })
        };
        let message = Message::error(
            Id::UNKNOWN_PROCEDURE,
            format!("there is no procedure `{}`", name.name),
            self.place(name.span),
            "unknown procedure",
        )
        .with_optional_help(help);
        self.messages.push(message);
        None
    }

    fn wrong_count(
        &mut self,
        call: Span,
        info: &ProcedureInfo,
        what: &str,
        wanted: usize,
        given: usize,
    ) {
        let message = Message::error(
            Id::ARGUMENT_COUNT,
            format!(
                "the procedure `{}` has {}, not {given}",
                info.name,
                count(wanted, what)
            ),
            self.place(call),
            format!("{} given", count(given, what)),
        )
        .with_label(info.place, "declared here");
        self.messages.push(message);
    }

    #[expect(clippy::type_complexity, reason = "the parts of one call")]
    fn call_statement(
        &mut self,
        call: &ast::Call,
    ) -> Option<(ProcedureId, Vec<Type>, Vec<Expr>, Vec<VarRef>)> {
        let mut args = self.exprs(&call.args);
        let targets: Vec<Option<(VarRef, Type)>> =
            call.targets.iter().map(|name| self.target(name)).collect();
        let (written, names): (Vec<_>, Vec<_>) = call
            .targets
            .iter()
            .zip(&targets)
            .filter_map(|(name, target)| {
                let (var, _) = target.as_ref()?;
                Some(((*var, name.span), name))
            })
            .unzip();
        self.written_once(&written, &names);
        let (callee, info) = self.callee(&call.name)?;
        self.calls.push((callee, call.span));
        let mut counts = true;
        if args.len() != info.ins.len() {
            self.wrong_count(call.span, info, "in-parameter", info.ins.len(), args.len());
            counts = false;
        }
        if targets.len() != info.outs.len() {
            self.wrong_count(
                call.span,
                info,
                "out-parameter",
                info.outs.len(),
                targets.len(),
            );
            counts = false;
        }
        if !counts {
            return None;
        }
        let mut type_args = self.instantiate(&info.type_params, call.span);
        for (arg, param) in args.iter().zip(&info.ins) {
            let wanted = substitute_params(&param.ty, &info.type_params, &type_args);
            self.expect(
                arg,
                &wanted,
                &format!("the in-parameter `{}` of `{}`", param.name, info.name),
            );
        }
        let mut results = Vec::new();
        for ((target, param), name) in targets.into_iter().zip(&info.outs).zip(&call.targets) {
            let Some((var, ty)) = target else { continue };
            let given = substitute_params(&param.ty, &info.type_params, &type_args);
            if !self.infer.unify(&given, &ty) {
                let (given, shown) = (self.show(&given), self.show(&ty));
                self.error(
                    Id::TYPE_MISMATCH,
                    format!(
                        "the out-parameter `{}` of `{}` is of type `{given}`, but `{}` is of type `{shown}`",
                        param.name, info.name, name.name
                    ),
                    name.span,
                    format!("this is of type `{shown}`"),
                );
            }
            results.push(var);
        }
        for arg in &mut args {
            self.finish(arg);
        }
        for ty in &mut type_args {
            self.finish_type(ty);
        }
        (results.len() == info.outs.len()).then_some((callee, type_args, args, results))
    }

    fn call_forall(
        &mut self,
        name: &ast::Ident,
        args: &[ast::CallArg],
        span: Span,
    ) -> Option<(ProcedureId, Vec<Type>, Vec<Option<Expr>>)> {
        let mut args: Vec<Option<Expr>> = args
            .iter()
            .map(|arg| match arg {
                ast::CallArg::Any(_) => None,
                ast::CallArg::Expr(expr) => Some(self.expr(expr)),
            })
            .collect();
        let (callee, info) = self.callee(name)?;
        if args.len() != info.ins.len() {
            self.wrong_count(span, info, "in-parameter", info.ins.len(), args.len());
            return None;
        }
        if !info.modifies.is_empty() || !info.outs.is_empty() {
            let message = Message::error(
                Id::CALL_FORALL,
                format!("`{}` is no lemma", info.name),
                self.place(name.span),
                "`call forall` needs a procedure without out-parameters and modified globals",
            )
            .with_label(info.place, "declared here");
            self.messages.push(message);
            return None;
        }
        let mut type_args = self.instantiate(&info.type_params, span);
        for (arg, param) in args.iter().zip(&info.ins) {
            let wanted = substitute_params(&param.ty, &info.type_params, &type_args);
            if let Some(arg) = arg {
                self.expect(
                    arg,
                    &wanted,
                    &format!("the in-parameter `{}` of `{}`", param.name, info.name),
                );
            }
        }
        for arg in args.iter_mut().flatten() {
            self.finish(arg);
        }
        for ty in &mut type_args {
            self.finish_type(ty);
        }
        Some((callee, type_args, args))
    }

    /// Checks names and types inside of a statement that is not supported, and says what it is.
    fn unsupported(&mut self, unsupported: &ast::Unsupported) -> &'static str {
        match unsupported {
            ast::Unsupported::AsyncCall(call) => {
                self.call_statement(call);
                "asynchronous call"
            }
            ast::Unsupported::ParallelCall(calls) => {
                for call in calls {
                    self.call_statement(call);
                }
                "parallel call"
            }
            ast::Unsupported::Yield => "yield statement",
            ast::Unsupported::Atomic(block) => {
                self.block(&block.stmts);
                "atomic block"
            }
            ast::Unsupported::Visibility { reveal, name } => {
                if let Some(name) = name
                    && !self.env.callables.contains_key(&name.name)
                {
                    self.unknown_function(name);
                }
                if *reveal {
                    "reveal statement"
                } else {
                    "hide statement"
                }
            }
            ast::Unsupported::Push => "push statement",
            ast::Unsupported::Pop => "pop statement",
        }
    }
}
