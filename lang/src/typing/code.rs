//! Code expressions: a piece of code without loops as a formula.
//!
//! The formula is the weakest precondition of what is returned. There are two of them, since code may have several ways:
//! *all* ways return true, or *some* way does. An assignment binds a new name for the variable, a `havoc` quantifies over
//! one. Variables that are read before they are written have any value, too.

use std::collections::HashMap;

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::visit::mutable::{self, VisitMut};
use crate::hir::{
    BinaryOp, Bound, BoundId, Expr, ExprKind, LabelId, NaryOp, QuantifierKind, Stmt, StmtKind,
    Type, VarRef,
};
use crate::resolve::message::Message;
use crate::resolve::types::declared_twice;
use crate::span::Span;
use crate::stack::ensure_stack;

use super::{Checker, Role};

/// So many statements are walked over, counted once for each way. More would make formulas that nobody can decide.
const MAX_STEPS: usize = 5_000;

impl Checker<'_> {
    /// A code expression.
    pub(super) fn code(&mut self, code: &ast::CodeExpr, span: Span) -> Expr {
        // The unknowns of the enclosing formula must survive the statements inside.
        let infer = std::mem::take(&mut self.infer);
        let state = self.state;
        let (writes, calls) = (self.writes.len(), self.calls.len());
        let body = std::mem::take(&mut self.body);
        self.body.in_code = true;
        let mark = self.mark();
        let mut locals = Vec::new();
        let mut is_plain = true;
        for local in &code.locals {
            for group in &local.groups {
                is_plain &= group.where_clause.is_none();
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
                    let local = self.new_bound(&name.name, ty.clone(), name.span);
                    self.bind(name, VarRef::Bound(local.id), ty.clone(), Role::Local);
                    locals.push(local);
                }
            }
        }
        let stmts = self.statements(&code.stmts);
        let returned = std::mem::take(&mut self.body.returned);
        self.release(mark);
        self.body = body;
        self.state = state;
        self.infer = infer;
        self.writes.truncate(writes);
        self.calls.truncate(calls);
        let mut formula = |all: bool| {
            let mut ways = Ways {
                stmts: &stmts,
                returned: &returned,
                locals: &locals,
                all,
                steps: 0,
                next_bound: &mut self.next_bound,
                span,
            };
            ways.whole().filter(|_| is_plain)
        };
        let kind = match (formula(true), formula(false)) {
            (Some(all), Some(some)) => ExprKind::Code {
                all: Box::new(all),
                some: Box::new(some),
            },
            _ => {
                let message = Message::warning(
                    Id::UNSUPPORTED,
                    "this code expression is not supported",
                    self.place(span),
                    "what depends on its value is answered with UNKNOWN",
                );
                self.messages.push(message);
                ExprKind::Unsupported {
                    what: "code expression",
                }
            }
        };
        Expr::new(kind, Type::Bool, span)
    }
}

/// What a local variable is called at a place.
type Current = HashMap<BoundId, BoundId>;

/// The ways through code.
struct Ways<'c> {
    stmts: &'c [Stmt],
    /// What the statements `return e;` return, by their places.
    returned: &'c [(Span, Expr)],
    locals: &'c [Bound],
    /// Whether all ways have to return true.
    all: bool,
    steps: usize,
    next_bound: &'c mut u32,
    span: Span,
}

impl<'c> Ways<'c> {
    /// The formula; `None` if there is something in the code that formulas cannot say.
    fn whole(&mut self) -> Option<Expr> {
        let mut current = Current::new();
        let mut bound = Vec::new();
        for local in self.locals {
            let new = self.again(local);
            current.insert(local.id, new.id);
            bound.push(new);
        }
        let formula = self.from(0, current)?;
        let mut read = Vec::new();
        formula.visit(&mut |e| {
            if let ExprKind::Var(VarRef::Bound(id)) = e.kind {
                read.push(id);
            }
        });
        bound.retain(|local| read.contains(&local.id));
        Some(self.quantified(bound, formula))
    }

    /// A new name for a variable.
    fn again(&mut self, local: &Bound) -> Bound {
        let id = BoundId(*self.next_bound);
        *self.next_bound += 1;
        Bound {
            id,
            ..local.clone()
        }
    }

    fn quantified(&self, bound: Vec<Bound>, body: Expr) -> Expr {
        if bound.is_empty() {
            return body;
        }
        let kind = match self.all {
            true => QuantifierKind::Forall,
            false => QuantifierKind::Exists,
        };
        self.formula(ExprKind::Quantifier {
            kind,
            type_params: Vec::new(),
            bound,
            triggers: Vec::new(),
            body: Box::new(body),
            attributes: Vec::new(),
        })
    }

    fn formula(&self, kind: ExprKind) -> Expr {
        Expr::new(kind, Type::Bool, self.span)
    }

    /// Both, or one of both.
    fn several(&self, mut ways: Vec<Expr>) -> Option<Expr> {
        if ways.len() == 1 {
            return ways.pop();
        }
        let op = match self.all {
            true => NaryOp::And,
            false => NaryOp::Or,
        };
        (!ways.is_empty()).then(|| self.formula(ExprKind::Nary(op, ways)))
    }

    /// The formula of what is done from a statement on.
    fn from(&mut self, mut place: usize, current: Current) -> Option<Expr> {
        let stmt = loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            match self.stmts.get(place) {
                // Nothing is returned at the end.
                None => return Some(self.formula(ExprKind::Bool(self.all))),
                Some(stmt) if matches!(stmt.kind, StmtKind::Label(_)) => place += 1,
                Some(stmt) => break stmt,
            }
        };
        let next = place + 1;
        match &stmt.kind {
            StmtKind::Assume { condition, .. } => {
                let condition = renamed(condition, &current);
                let rest = ensure_stack(|| self.from(next, current))?;
                Some(self.formula(match self.all {
                    true => {
                        ExprKind::Binary(BinaryOp::Implies, Box::new(condition), Box::new(rest))
                    }
                    false => ExprKind::Nary(NaryOp::And, vec![condition, rest]),
                }))
            }
            StmtKind::Assign { pairs } => {
                let (mut bound, mut values) = (Vec::new(), Vec::new());
                let mut after = current.clone();
                for (variable, value) in pairs {
                    let local = self.local(*variable)?;
                    let new = self.again(local);
                    after.insert(local.id, new.id);
                    bound.push(new);
                    values.push(renamed(value, &current));
                }
                let body = ensure_stack(|| self.from(next, after))?;
                Some(self.formula(ExprKind::Let {
                    bound,
                    values,
                    body: Box::new(body),
                    attributes: Vec::new(),
                }))
            }
            StmtKind::Havoc(variables) => {
                let mut bound = Vec::new();
                let mut after = current;
                for variable in variables {
                    let local = self.local(*variable)?;
                    let new = self.again(local);
                    after.insert(local.id, new.id);
                    bound.push(new);
                }
                let body = ensure_stack(|| self.from(next, after))?;
                Some(self.quantified(bound, body))
            }
            StmtKind::Goto(labels) => {
                let ways = labels
                    .iter()
                    .map(|&label| {
                        let target = self.label(label)?;
                        // Only forwards: there are no loops.
                        (target > place).then_some(())?;
                        ensure_stack(|| self.from(target, current.clone()))
                    })
                    .collect::<Option<Vec<_>>>()?;
                self.several(ways)
            }
            StmtKind::Return => {
                let value = self.returned.iter().find(|(span, _)| *span == stmt.span);
                Some(match value {
                    Some((_, value)) => renamed(value, &current),
                    None => self.formula(ExprKind::Bool(self.all)),
                })
            }
            _ => None,
        }
    }

    /// The local variable that a statement writes; `None` if it is one from outside.
    fn local(&self, variable: VarRef) -> Option<&'c Bound> {
        match variable {
            VarRef::Bound(id) => self.locals.iter().find(|local| local.id == id),
            _ => None,
        }
    }

    fn label(&self, label: LabelId) -> Option<usize> {
        self.stmts
            .iter()
            .position(|stmt| stmt.kind == StmtKind::Label(label))
    }
}

/// An expression with the names that local variables have at the place.
fn renamed(expr: &Expr, current: &Current) -> Expr {
    struct Renaming<'c>(&'c Current);
    impl VisitMut for Renaming<'_> {
        fn visit_var(&mut self, variable: &mut VarRef) {
            if let VarRef::Bound(id) = variable
                && let Some(new) = self.0.get(id)
            {
                *id = *new;
            }
            mutable::walk_var(self, variable);
        }
    }
    let mut expr = expr.clone();
    Renaming(current).visit_expr(&mut expr);
    expr
}
