//! Commands, one after the other.

use std::collections::HashSet;

use ult_lang::diagnostic::{Id, Reported};
use ult_lang::hir::visit::mutable::{VisitMut, walk_expr};
use ult_lang::hir::{Expr, ExprKind, LocalId, VarRef};
use ult_smtlib::sexpr;

use crate::program::{Moment, Procedure, Snapshot, Statement, StatementKind, Variable, VerifyCall};
use crate::reader::Reader;
use crate::statements::{Annotations, Place};
use crate::terms::{Scope, State};

impl Reader<'_> {
    /// All commands.
    pub(crate) fn script(&mut self, commands: &[sexpr::Expr]) {
        for &command in commands {
            // What is wrong with one does not hide what is wrong with the others.
            let _: Result<(), Reported> = self.command(command);
        }
        self.known_tags();
    }

    fn command(&mut self, at: sexpr::Expr) -> Result<(), Reported> {
        let exprs = self.exprs;
        let Some([head, args @ ..]) = exprs.list(at) else {
            return Err(self.syntax("a command is expected here", at));
        };
        let Some(name) = exprs.symbol(*head) else {
            return Err(self.syntax("a command is expected here", at));
        };
        match (name, args) {
            // They say nothing about the program. The logic is what the terms use.
            ("set-logic" | "set-info" | "set-option" | "get-info" | "get-option", [_, ..])
            | ("get-assertions" | "get-witness" | "exit", [])
            | ("echo", [_]) => Ok(()),
            ("declare-var", [name, sort]) => self.declare_var(*name, *sort),
            ("declare-const", [name, sort]) => self.declare_const(*name, *sort),
            ("declare-fun", [name, params, sort]) => self.declare_fun(*name, *params, *sort),
            ("declare-sort", [name, arity]) => self.declare_sort(*name, *arity),
            ("define-sort", [name, params, body]) => self.define_sort(*name, *params, *body),
            ("define-const", [name, sort, body]) => {
                self.define_fun(*name, &[], *sort, *body, at).map(|_| ())
            }
            ("define-fun", [name, params, sort, body]) => {
                let params = self.sorted_variables(*params)?;
                self.define_fun(*name, &params, *sort, *body, at)
            }
            ("define-fun-rec", [name, params, sort, body]) => {
                self.define_recursive(&[(*name, *params, *sort)], &[*body])
            }
            ("define-funs-rec", [heads, bodies]) => self.define_all_recursive(*heads, *bodies, at),
            ("declare-datatype", [name, constructors]) => {
                self.declare_datatypes(&[*name], &[*constructors])
            }
            ("declare-datatypes", [sorts, all]) => {
                let (Some(sorts), Some(all)) = (exprs.list(*sorts), exprs.list(*all)) else {
                    return Err(self.syntax("`declare-datatypes` takes two lists", at));
                };
                let mut names = Vec::new();
                for &sort in sorts {
                    match exprs.list(sort) {
                        Some(&[name, arity]) if exprs.index(arity) == Some(0) => names.push(name),
                        _ => return Err(self.not_supported("a datatype with parameters", sort)),
                    }
                }
                self.declare_datatypes(&names, all)
            }
            ("assert", [formula]) => self.assert(*formula, at),
            ("define-proc", [name, ins, outs, locals, body]) => self
                .declare_procedure(*name, *ins, *outs, *locals, at)
                .and_then(|index| self.define_procedure(index, *body)),
            ("define-procs-rec", [heads, bodies]) => self.define_procedures(*heads, *bodies, at),
            ("annotate-tag", [tag, attributes @ ..]) if !attributes.is_empty() => {
                self.annotate_tag(*tag, attributes)
            }
            ("select-trace", parts) => self.select_trace(parts, at),
            ("verify-call", [name, args]) => self.verify_call(*name, *args, at),
            (
                "set-logic" | "set-info" | "set-option" | "declare-var" | "declare-const"
                | "declare-fun" | "declare-sort" | "define-sort" | "define-const" | "define-fun"
                | "define-fun-rec" | "define-funs-rec" | "declare-datatype" | "declare-datatypes"
                | "assert" | "define-proc" | "define-procs-rec" | "annotate-tag" | "verify-call"
                | "get-witness" | "get-info" | "get-option" | "get-assertions" | "exit" | "echo",
                _,
            ) => Err(self.syntax(&format!("`{name}` in this form"), at)),
            (
                "push"
                | "pop"
                | "reset"
                | "reset-assertions"
                | "check-sat"
                | "check-sat-assuming"
                | "get-model"
                | "get-value"
                | "get-proof"
                | "get-unsat-core"
                | "get-assignment"
                | "get-unsat-assumptions",
                _,
            ) => Err(self.not_supported(&format!("`{name}`"), *head)),
            _ => {
                let message = format!("there is no command `{name}`");
                Err(self.error(Id::SVLIB_SYNTAX, message, *head, "not a command"))
            }
        }
    }

    // --- procedures ---------------------------------------------------------------------------

    fn declare_procedure(
        &mut self,
        at: sexpr::Expr,
        ins: sexpr::Expr,
        outs: sexpr::Expr,
        locals: sexpr::Expr,
        whole: sexpr::Expr,
    ) -> Result<usize, Reported> {
        let name = self.symbol(at)?;
        let span = self.span(at);
        if let Some(known) = self.procedure(&name) {
            let before = self.procedures.get(known).map_or(span, |p| p.span);
            return Err(crate::names::twice(&name, span, before, &mut self.messages));
        }
        let ins = self.sorted_variables(ins);
        let outs = self.sorted_variables(outs);
        let locals = self.sorted_variables(locals);
        let broken = ins.is_err() || outs.is_err() || locals.is_err();
        let whole = self.span(whole);
        let procedure = Procedure {
            name,
            span,
            ins: ins.unwrap_or_default(),
            outs: outs.unwrap_or_default(),
            locals: locals.unwrap_or_default(),
            snapshots: Vec::new(),
            body: None,
            globals: self.names.globals.len(),
            end: ult_lang::span::Span::new(whole.end.saturating_sub(1), whole.end),
        };
        let mut seen: Vec<&Variable> = Vec::new();
        let mut again = None;
        for variable in procedure.variables() {
            if let Some(before) = seen.iter().find(|v| v.name == variable.name) {
                again = Some((variable.name.clone(), variable.span, before.span));
            }
            seen.push(variable);
        }
        self.procedures.push(procedure);
        if let Some((name, span, before)) = again {
            return Err(crate::names::twice(&name, span, before, &mut self.messages));
        }
        match broken {
            true => Err(Reported),
            false => Ok(self.procedures.len() - 1),
        }
    }

    fn define_procedure(&mut self, index: usize, body: sexpr::Expr) -> Result<(), Reported> {
        let place = Place {
            procedure: index,
            in_loop: false,
        };
        let body = self.statement(body, place)?;
        self.jumps(&body)?;
        if let Some(procedure) = self.procedures.get_mut(index) {
            procedure.body = Some(body);
        }
        Ok(())
    }

    fn define_procedures(
        &mut self,
        heads: sexpr::Expr,
        bodies: sexpr::Expr,
        at: sexpr::Expr,
    ) -> Result<(), Reported> {
        let exprs = self.exprs;
        let (Some(heads), Some(bodies)) = (exprs.list(heads), exprs.list(bodies)) else {
            return Err(self.syntax("`define-procs-rec` takes two lists", at));
        };
        if heads.len() != bodies.len() {
            return Err(self.syntax("as many bodies as procedures are expected", at));
        }
        let mut declared = Vec::new();
        let mut failed = Ok(());
        for (&head, &body) in heads.iter().zip(bodies) {
            let Some(&[name, ins, outs, locals]) = exprs.list(head) else {
                return Err(self.syntax("a name and three lists are expected here", head));
            };
            match self.declare_procedure(name, ins, outs, locals, body) {
                Ok(index) => declared.push((index, body)),
                Err(reported) => failed = Err(reported),
            }
        }
        for (index, body) in declared {
            failed = failed.and(self.define_procedure(index, body));
        }
        failed
    }

    /// Labels are unique, and jumps lead to one.
    fn jumps(&mut self, body: &Statement) -> Result<(), Reported> {
        let mut labels = HashSet::new();
        let mut wrong = Vec::new();
        body.visit(&mut |statement| {
            if let StatementKind::Label(label) = &statement.kind
                && !labels.insert(label.clone())
            {
                wrong.push((format!("a second label `{label}`"), statement.span));
            }
        });
        body.visit(&mut |statement| {
            if let StatementKind::Goto(label) = &statement.kind
                && !labels.contains(label)
            {
                wrong.push((format!("there is no label `{label}`"), statement.span));
            }
        });
        let mut failed = Ok(());
        for (message, span) in wrong {
            let label = "labels are unique in a procedure, and jumps stay inside of it";
            failed = Err(self.messages.error(Id::SVLIB_JUMP, message, span, label));
        }
        failed
    }

    fn annotate_tag(
        &mut self,
        at: sexpr::Expr,
        attributes: &[sexpr::Expr],
    ) -> Result<(), Reported> {
        let tag = self.symbol(at)?;
        let mut failed = Ok(());
        let mut is_known = false;
        for index in 0..self.procedures.len() {
            let is_here = |body: &Statement| {
                let mut found = false;
                body.visit(&mut |statement| found |= statement.tags.contains(&tag));
                found
            };
            let body = self.procedures.get(index).and_then(|p| p.body.as_ref());
            if !body.is_some_and(is_here) {
                continue;
            }
            is_known = true;
            let mut annotations = Annotations::default();
            failed = failed.and(self.annotations(attributes, index, &mut annotations));
            if failed.is_err() {
                continue;
            }
            let body = self.procedures.get_mut(index).and_then(|p| p.body.as_mut());
            let mut open: Vec<&mut Statement> = body.into_iter().collect();
            while let Some(statement) = open.pop() {
                if statement.tags.contains(&tag) {
                    let properties = annotations.properties.iter().cloned();
                    statement.properties.extend(properties);
                    statement.tags.extend(annotations.tags.iter().cloned());
                }
                open.extend(statement.parts_mut());
            }
        }
        if !is_known {
            let span = self.span(at);
            let message = format!("there is no tag `{tag}`");
            let label = "what is said about it is ignored, as the standard says";
            self.messages.warn(Id::SVLIB_NO_TAG, message, span, label);
        } else if self
            .calls
            .iter()
            .any(|call| self.is_below(call.procedure, &tag))
        {
            self.after_call("`annotate-tag` after a `verify-call` that it is about", at);
        }
        failed
    }

    /// Whether a tag occurs in a procedure or in what that calls.
    fn is_below(&self, procedure: usize, tag: &str) -> bool {
        let mut found = false;
        for index in self.reachable(procedure) {
            if let Some(body) = self.procedures.get(index).and_then(|p| p.body.as_ref()) {
                body.visit(&mut |s| found |= s.tags.iter().any(|other| other == tag));
            }
        }
        found
    }

    /// A procedure and all that it calls, also through others.
    pub(crate) fn reachable(&self, procedure: usize) -> Vec<usize> {
        let mut found = vec![procedure];
        let mut next = 0;
        while let Some(&index) = found.get(next) {
            next += 1;
            if let Some(body) = self.procedures.get(index).and_then(|p| p.body.as_ref()) {
                body.visit(&mut |statement| {
                    if let StatementKind::Call { callee, .. } = &statement.kind
                        && !found.contains(callee)
                    {
                        found.push(*callee);
                    }
                });
            }
        }
        found
    }

    /// Tags that `at` mentions exist, where they are asked for.
    fn known_tags(&mut self) {
        let mut loops = Vec::new();
        for (tag, index, span) in std::mem::take(&mut self.tags_asked) {
            let Some(procedure) = self.procedures.get(index) else {
                continue;
            };
            let (mut found, mut is_loop) = (false, false);
            if let Some(body) = &procedure.body {
                body.visit(&mut |statement| {
                    if statement.tags.contains(&tag) {
                        found = true;
                        is_loop |= matches!(statement.kind, StatementKind::While { .. });
                    }
                });
                if is_loop {
                    loops.push((index, tag.clone()));
                }
                if !found {
                    let message = format!("there is no tag `{tag}` in `{}`", procedure.name);
                    let label = "what was there cannot be asked";
                    self.messages
                        .error(Id::SVLIB_UNKNOWN_NAME, message, span, label);
                }
            }
        }
        for (index, tag) in loops {
            self.forget(index, &tag);
        }
    }

    /// Whether a loop is visited once or in each round, the standard does not say: who asks for a value there gets none.
    fn forget(&mut self, index: usize, tag: &str) {
        let Some(procedure) = self.procedures.get_mut(index) else {
            return;
        };
        let first = procedure.variables().count();
        let of_tag = |snapshot: &Snapshot| matches!(&snapshot.moment, Moment::Tag(t) if t == tag);
        let forgotten = (first..)
            .zip(&procedure.snapshots)
            .filter(|(_, snapshot)| of_tag(snapshot))
            .map(|(index, _)| VarRef::Local(LocalId::new(index)))
            .collect();
        let mut forget = Forget(forgotten);
        let mut open: Vec<&mut Statement> = procedure.body.iter_mut().collect();
        while let Some(statement) = open.pop() {
            for property in &mut statement.properties {
                if let Some(condition) = &mut property.condition {
                    forget.visit_expr(condition);
                }
            }
            open.extend(statement.parts_mut());
        }
    }

    fn verify_call(
        &mut self,
        at: sexpr::Expr,
        args: sexpr::Expr,
        whole: sexpr::Expr,
    ) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let Some(procedure) = self.procedure(&name) else {
            return Err(self.unknown("procedure", &name, at));
        };
        let Some(args) = self.exprs.list(args) else {
            return Err(self.syntax("a list of terms is expected here", args));
        };
        let args = self.arguments(procedure, args, whole, Scope::new(State::Globals))?;
        let span = self.span(whole);
        self.calls.push(VerifyCall {
            procedure,
            args,
            span,
        });
        Ok(())
    }
}

/// Takes the meaning of variables.
struct Forget(HashSet<VarRef>);

impl VisitMut for Forget {
    fn visit_expr(&mut self, expr: &mut Expr) {
        match &expr.kind {
            ExprKind::Var(variable) => {
                if self.0.contains(variable) {
                    expr.kind = ExprKind::Unsupported {
                        what: "`at` with the tag of a loop",
                    };
                }
            }
            _ => walk_expr(self, expr),
        }
    }
}
