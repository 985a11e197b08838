//! Statements.

use super::Printer;
use crate::ast::*;
use crate::stack::ensure_stack;

impl Printer {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            ensure_stack(|| self.stmt(stmt));
        }
    }

    /// `{ ... }` without the line break behind it.
    fn block(&mut self, block: &Block) {
        self.text("{\n");
        self.indent += 1;
        self.stmts(&block.stmts);
        self.indent -= 1;
        self.begin();
        self.text("}");
    }

    /// A keyword with attributes and a blank behind each.
    fn keyword(&mut self, keyword: &str, attributes: &[Attribute]) {
        self.text(keyword);
        self.text(" ");
        self.attributes(attributes);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let attributes = &stmt.attributes;
        if let StmtKind::Label(name) = &stmt.kind {
            // Labels stand out a little.
            self.indent -= 1;
            self.begin();
            self.indent += 1;
            self.text(" ");
            self.name(name);
            self.text(":\n");
            return;
        }
        self.begin();
        match &stmt.kind {
            StmtKind::Label(_) => {}
            StmtKind::Assert(expr) => {
                self.keyword("assert", attributes);
                self.expr(expr);
                self.text(";");
            }
            StmtKind::Assume(expr) => {
                self.keyword("assume", attributes);
                self.expr(expr);
                self.text(";");
            }
            StmtKind::Havoc(names) => {
                self.keyword("havoc", attributes);
                self.names(names);
                self.text(";");
            }
            StmtKind::Assign { targets, values } => {
                self.comma(targets, Self::target);
                self.keyword(" :=", attributes);
                self.exprs(values);
                self.text(";");
            }
            StmtKind::Unpack {
                constructor,
                targets,
                value,
            } => {
                self.name(constructor);
                self.text("(");
                self.names(targets);
                self.keyword(") :=", attributes);
                self.expr(value);
                self.text(";");
            }
            StmtKind::Call { free, call } => {
                self.text(if *free { "free call " } else { "call " });
                self.call(call);
                self.text(";");
            }
            StmtKind::CallForall { name, args } => {
                self.text("call forall ");
                self.name(name);
                self.text("(");
                self.comma(args, |printer, arg| match arg {
                    CallArg::Any(_) => printer.text("*"),
                    CallArg::Expr(expr) => printer.expr(expr),
                });
                self.text(");");
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (index, (guard, block)) in branches.iter().enumerate() {
                    match index {
                        0 => self.keyword("if", attributes),
                        _ => self.text(" else if "),
                    }
                    self.guard(guard);
                    self.text(" ");
                    self.block(block);
                }
                if let Some(block) = otherwise {
                    self.text(" else ");
                    self.block(block);
                }
            }
            StmtKind::While {
                guard,
                invariants,
                measures,
                body,
            } => {
                self.keyword("while", attributes);
                self.guard(guard);
                self.text("\n");
                self.indent += 1;
                for invariant in invariants {
                    self.begin();
                    if invariant.free {
                        self.text("free ");
                    }
                    self.keyword("invariant", &invariant.attributes);
                    self.expr(&invariant.expr);
                    self.text(";\n");
                }
                for measure in measures {
                    self.begin();
                    self.keyword("measure", &measure.attributes);
                    self.exprs(&measure.exprs);
                    self.text(";\n");
                }
                self.indent -= 1;
                self.begin();
                self.block(body);
            }
            StmtKind::Measure(exprs) => {
                self.keyword("measure", attributes);
                self.exprs(exprs);
                self.text(";");
            }
            StmtKind::Break(label) => {
                self.jump("break", attributes);
                if let Some(label) = label {
                    self.text(" ");
                    self.name(label);
                }
                self.text(";");
            }
            StmtKind::Goto(labels) => {
                self.keyword("goto", attributes);
                self.names(labels);
                self.text(";");
            }
            StmtKind::Return(value) => {
                self.jump("return", attributes);
                if let Some(value) = value {
                    self.text(" ");
                    self.expr(value);
                }
                self.text(";");
            }
            StmtKind::Unsupported(what) => self.unsupported(what),
            StmtKind::Error => self.text("/* unreadable statement */"),
        }
        self.text("\n");
    }

    /// A keyword with attributes and a blank before each.
    fn jump(&mut self, keyword: &str, attributes: &[Attribute]) {
        self.text(keyword);
        for attribute in attributes {
            self.text(" ");
            self.attribute(attribute);
        }
    }

    fn unsupported(&mut self, what: &Unsupported) {
        match what {
            Unsupported::AsyncCall(call) => {
                self.text("async call ");
                self.call(call);
                self.text(";");
            }
            Unsupported::ParallelCall(calls) => {
                self.text("par ");
                for (index, call) in calls.iter().enumerate() {
                    if index > 0 {
                        self.text(" | ");
                    }
                    self.call(call);
                }
                self.text(";");
            }
            Unsupported::Yield => self.text("yield;"),
            Unsupported::Atomic(block) => {
                self.text("atomic ");
                self.block(block);
            }
            Unsupported::Visibility { reveal, name } => {
                self.text(if *reveal { "reveal " } else { "hide " });
                match name {
                    Some(name) => self.name(name),
                    None => self.text("*"),
                }
                self.text(";");
            }
            Unsupported::Push => self.text("push;"),
            Unsupported::Pop => self.text("pop;"),
        }
    }

    fn guard(&mut self, guard: &Guard) {
        self.text("(");
        match guard {
            Guard::Any(_) => self.text("*"),
            Guard::Expr(expr) => self.expr(expr),
        }
        self.text(")");
    }

    fn call(&mut self, call: &Call) {
        self.attributes(&call.attributes);
        if !call.targets.is_empty() {
            self.names(&call.targets);
            self.text(" := ");
        }
        self.name(&call.name);
        self.text("(");
        self.exprs(&call.args);
        self.text(")");
    }

    fn target(&mut self, target: &AssignTarget) {
        self.name(&target.name);
        for step in &target.path {
            match step {
                PathStep::Index(indices, _) => {
                    self.text("[");
                    self.exprs(indices);
                    self.text("]");
                }
                PathStep::Field(field) => {
                    self.text("->");
                    self.name(field);
                }
            }
        }
    }
}
