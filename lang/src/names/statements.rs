//! The names in statements.

use super::walk::{Class, Walk};
use super::{Kind, Space, Usage};
use crate::ast::{Call, CallArg, Guard, PathStep, Stmt, StmtKind, Unsupported, VarDecl};
use crate::span::Span;
use crate::stack::ensure_stack;

impl Walk {
    /// A body: its variables and labels are known in all of it.
    pub(super) fn body(&mut self, locals: &[VarDecl], stmts: &[Stmt], extent: Span) {
        self.scoped(extent, |walk| {
            for decl in locals {
                walk.attributes(&decl.attributes);
                walk.groups(&decl.groups, Kind::Local);
            }
            walk.labels(stmts);
            walk.stmts(stmts);
        });
    }

    fn labels(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Label(name) => {
                    let detail = format!("label {}", name.name);
                    self.local(Class::Label, name, Kind::Label, stmt.span, detail);
                }
                StmtKind::If {
                    branches,
                    otherwise,
                } => ensure_stack(|| {
                    let blocks = branches.iter().map(|(_, block)| block);
                    for block in blocks.chain(otherwise) {
                        self.labels(&block.stmts);
                    }
                }),
                StmtKind::While { body, .. } => ensure_stack(|| self.labels(&body.stmts)),
                StmtKind::Unsupported(Unsupported::Atomic(block)) => {
                    ensure_stack(|| self.labels(&block.stmts));
                }
                _ => {}
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            ensure_stack(|| self.stmt(stmt));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.attributes(&stmt.attributes);
        match &stmt.kind {
            StmtKind::Label(_) | StmtKind::Error => {}
            StmtKind::Assert(expr) | StmtKind::Assume(expr) => self.expr(expr),
            StmtKind::Havoc(names) => {
                for name in names {
                    self.value(name, Usage::Written);
                }
            }
            StmtKind::Assign { targets, values } => {
                for target in targets {
                    self.value(&target.name, Usage::Written);
                    for step in &target.path {
                        match step {
                            PathStep::Index(indices, _) => self.exprs(indices),
                            PathStep::Field(field) => self.refer(Space::Field, field),
                        }
                    }
                }
                self.exprs(values);
            }
            StmtKind::Unpack {
                constructor,
                targets,
                value,
            } => {
                self.refer(Space::Callable, constructor);
                for target in targets {
                    self.value(target, Usage::Written);
                }
                self.expr(value);
            }
            StmtKind::Call { call, .. } => self.call(call),
            StmtKind::CallForall { name, args } => {
                self.refer(Space::Procedure, name);
                for arg in args {
                    if let CallArg::Expr(expr) = arg {
                        self.expr(expr);
                    }
                }
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (guard, block) in branches {
                    self.guard(guard);
                    self.stmts(&block.stmts);
                }
                if let Some(block) = otherwise {
                    self.stmts(&block.stmts);
                }
            }
            StmtKind::While {
                guard,
                invariants,
                body,
            } => {
                self.guard(guard);
                for invariant in invariants {
                    self.attributes(&invariant.attributes);
                    self.expr(&invariant.expr);
                }
                self.stmts(&body.stmts);
            }
            StmtKind::Break(label) => {
                if let Some(label) = label {
                    self.label(label);
                }
            }
            StmtKind::Goto(labels) => {
                for label in labels {
                    self.label(label);
                }
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StmtKind::Unsupported(what) => self.unsupported(what),
        }
    }

    fn unsupported(&mut self, what: &Unsupported) {
        match what {
            Unsupported::AsyncCall(call) => self.call(call),
            Unsupported::ParallelCall(calls) => {
                for call in calls {
                    self.call(call);
                }
            }
            Unsupported::Atomic(block) => self.stmts(&block.stmts),
            Unsupported::Visibility { name, .. } => {
                if let Some(name) = name {
                    self.refer(Space::Callable, name);
                }
            }
            Unsupported::Yield | Unsupported::Push | Unsupported::Pop => {}
        }
    }

    fn guard(&mut self, guard: &Guard) {
        if let Guard::Expr(expr) = guard {
            self.expr(expr);
        }
    }

    fn call(&mut self, call: &Call) {
        self.attributes(&call.attributes);
        for target in &call.targets {
            self.value(target, Usage::Written);
        }
        self.refer(Space::Procedure, &call.name);
        self.exprs(&call.args);
    }
}
