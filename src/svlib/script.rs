//! Commands, one after the other.

use std::collections::HashSet;

use ult_lang::diagnostic::Id;
use ult_lang::hir::visit::mutable::{VisitMut, walk_expr};
use ult_lang::hir::{
    Axiom, BinaryOp, Constant, ConstantId, Constructor, Datatype, DatatypeId, Expr, ExprKind,
    Field, Function, FunctionId, Global, GlobalId, LocalId, QuantifierKind, Trigger, Type,
    TypeConstructor, TypeId, VarRef,
};
use ult_smt::smtlib::sexpr;

use crate::message::Reported;
use crate::names::{SortName, Symbol};
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

    // --- declarations -------------------------------------------------------------------------

    fn declare(&mut self, name: &str, meaning: Symbol, at: sexpr::Expr) -> Result<(), Reported> {
        let span = self.span(at);
        let messages = &mut self.messages;
        self.names.declare(name, meaning, span, messages)
    }

    /// A declaration of something with a sort. If the sort is wrong, the name is known all the same.
    fn sort_for(
        &mut self,
        name: &str,
        at: sexpr::Expr,
        sort: sexpr::Expr,
    ) -> Result<Type, Reported> {
        let ty = self.sort(sort);
        if ty.is_err() {
            let _: Result<(), Reported> = self.declare(name, Symbol::Broken, at);
        }
        ty
    }

    fn declare_var(&mut self, at: sexpr::Expr, sort: sexpr::Expr) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let ty = self.sort_for(&name, at, sort)?;
        let id = GlobalId::new(self.names.globals.len());
        self.declare(&name, Symbol::Global(id), at)?;
        self.names.globals.push(Global {
            name,
            ty,
            where_clause: None,
            attributes: Vec::new(),
            span: self.span(at),
        });
        Ok(())
    }

    fn declare_const(&mut self, at: sexpr::Expr, sort: sexpr::Expr) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let ty = self.sort_for(&name, at, sort)?;
        let id = ConstantId::new(self.names.background.constants.len());
        self.declare(&name, Symbol::Constant(id), at)?;
        self.names.background.constants.push(Constant {
            name,
            ty,
            unique: false,
            order: None,
            attributes: Vec::new(),
            span: self.span(at),
        });
        Ok(())
    }

    fn declare_fun(
        &mut self,
        at: sexpr::Expr,
        params: sexpr::Expr,
        sort: sexpr::Expr,
    ) -> Result<(), Reported> {
        let Some(params) = self.exprs.list(params) else {
            return Err(self.syntax("a list of sorts is expected here", params));
        };
        if params.is_empty() {
            return self.declare_const(at, sort);
        }
        let name = self.symbol(at)?;
        let mut variables = Vec::new();
        for &param in params {
            let ty = self.sort_for(&name, at, param)?;
            let span = self.span(param);
            variables.push(Variable {
                name: String::new(),
                ty,
                span,
            });
        }
        let result = self.sort_for(&name, at, sort)?;
        self.function(name, &variables, result, None, at)
            .map(|_| ())
    }

    fn function(
        &mut self,
        name: String,
        params: &[Variable],
        result: Type,
        body: Option<(Vec<ult_lang::hir::Bound>, Expr)>,
        at: sexpr::Expr,
    ) -> Result<FunctionId, Reported> {
        let id = FunctionId::new(self.names.background.functions.len());
        self.declare(&name, Symbol::Function(id), at)?;
        let (params, body) = match body {
            Some((params, body)) => (params, Some(body)),
            None => (
                params
                    .iter()
                    .map(|p| self.names.bound(&p.name, &p.ty, p.span))
                    .collect(),
                None,
            ),
        };
        self.names.background.functions.push(Function {
            name,
            type_params: Vec::new(),
            params,
            result,
            body,
            attributes: Vec::new(),
            span: self.span(at),
        });
        Ok(id)
    }

    fn define_fun(
        &mut self,
        at: sexpr::Expr,
        params: &[Variable],
        sort: sexpr::Expr,
        body: sexpr::Expr,
        whole: sexpr::Expr,
    ) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let result = self.sort_for(&name, at, sort)?;
        let bound: Vec<_> = params
            .iter()
            .map(|p| self.names.bound(&p.name, &p.ty, p.span))
            .collect();
        let mut scope = Scope::new(State::None);
        let body = scope.with(&bound, |scope| self.term_of(body, scope, &result));
        let body = match body {
            Ok(body) => body,
            Err(reported) => {
                let _: Result<(), Reported> = self.declare(&name, Symbol::Broken, at);
                return Err(reported);
            }
        };
        if !bound.is_empty() {
            return self
                .function(name, params, result, Some((bound, body)), at)
                .map(|_| ());
        }
        // A constant with its value.
        let id = ConstantId::new(self.names.background.constants.len());
        self.declare(&name, Symbol::Constant(id), at)?;
        let span = self.span(at);
        self.names.background.constants.push(Constant {
            name,
            ty: result.clone(),
            unique: false,
            order: None,
            attributes: Vec::new(),
            span,
        });
        let constant = Expr::new(ExprKind::Var(VarRef::Constant(id)), result, span);
        let formula = equation(constant, body);
        self.axiom(formula, whole);
        Ok(())
    }

    fn axiom(&mut self, formula: Expr, at: sexpr::Expr) {
        let span = self.span(at);
        self.names.background.axioms.push(Axiom {
            formula,
            attributes: Vec::new(),
            span,
        });
    }

    fn define_all_recursive(
        &mut self,
        heads: sexpr::Expr,
        bodies: sexpr::Expr,
        at: sexpr::Expr,
    ) -> Result<(), Reported> {
        let exprs = self.exprs;
        let (Some(heads), Some(bodies)) = (exprs.list(heads), exprs.list(bodies)) else {
            return Err(self.syntax("`define-funs-rec` takes two lists", at));
        };
        let mut found = Vec::new();
        for &head in heads {
            match exprs.list(head) {
                Some(&[name, params, sort]) => found.push((name, params, sort)),
                _ => return Err(self.syntax("a name, variables and a sort are expected", head)),
            }
        }
        if found.len() != bodies.len() {
            return Err(self.syntax("as many bodies as functions are expected", at));
        }
        self.define_recursive(&found, bodies)
    }

    /// Functions that may mention each other: declared first, and then said to be what they are.
    fn define_recursive(
        &mut self,
        heads: &[(sexpr::Expr, sexpr::Expr, sexpr::Expr)],
        bodies: &[sexpr::Expr],
    ) -> Result<(), Reported> {
        let mut declared = Vec::new();
        for &(at, params, sort) in heads {
            let name = self.symbol(at)?;
            let params = self.sorted_variables(params)?;
            let result = self.sort_for(&name, at, sort)?;
            if params.is_empty() {
                return Err(self.not_supported("a recursive constant", at));
            }
            let id = self.function(name, &params, result.clone(), None, at)?;
            declared.push((id, params, result));
        }
        for ((function, params, result), &body) in declared.into_iter().zip(bodies) {
            let span = self.span(body);
            let bound: Vec<_> = params
                .iter()
                .map(|p| self.names.bound(&p.name, &p.ty, p.span))
                .collect();
            let mut scope = Scope::new(State::None);
            let value = scope.with(&bound, |scope| self.term_of(body, scope, &result))?;
            let args = bound
                .iter()
                .map(|b| Expr::new(ExprKind::Var(VarRef::Bound(b.id)), b.ty.clone(), b.span));
            let call = ExprKind::Call {
                function,
                type_args: Vec::new(),
                args: args.collect(),
            };
            let call = Expr::new(call, result, span);
            let trigger = Trigger {
                positive: true,
                terms: vec![call.clone()],
                span,
            };
            let kind = ExprKind::Quantifier {
                kind: QuantifierKind::Forall,
                type_params: Vec::new(),
                bound,
                triggers: vec![trigger],
                body: Box::new(equation(call, value)),
                attributes: Vec::new(),
            };
            self.axiom(Expr::new(kind, Type::Bool, span), body);
        }
        Ok(())
    }

    fn declare_sort(&mut self, at: sexpr::Expr, arity: sexpr::Expr) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let Some(arity) = self.exprs.index(arity) else {
            return Err(self.syntax("a number is expected here", arity));
        };
        let id = TypeId::new(self.names.background.types.len());
        let span = self.span(at);
        let arity = arity as usize;
        let meaning = SortName::Constructor(id, arity);
        let messages = &mut self.messages;
        self.names.declare_sort(&name, meaning, span, messages)?;
        self.names.background.types.push(TypeConstructor {
            name,
            arity,
            attributes: Vec::new(),
            span,
        });
        Ok(())
    }

    fn define_sort(
        &mut self,
        at: sexpr::Expr,
        params: sexpr::Expr,
        body: sexpr::Expr,
    ) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let Some(params) = self.exprs.list(params) else {
            return Err(self.syntax("a list of names is expected here", params));
        };
        let params: Result<Vec<String>, Reported> =
            params.iter().map(|&param| self.symbol(param)).collect();
        let params = params?;
        let meaning = match params.is_empty() {
            true => match self.sort(body) {
                Ok(_) => SortName::Synonym(params, body),
                Err(_) => SortName::Broken,
            },
            false => SortName::Synonym(params, body),
        };
        let span = self.span(at);
        let messages = &mut self.messages;
        self.names.declare_sort(&name, meaning, span, messages)
    }

    fn declare_datatypes(
        &mut self,
        names: &[sexpr::Expr],
        all: &[sexpr::Expr],
    ) -> Result<(), Reported> {
        let exprs = self.exprs;
        let Some(&first) = names.first() else {
            return Ok(());
        };
        if names.len() != all.len() {
            return Err(self.syntax("as many datatypes as names are expected", first));
        }
        let from = self.names.background.datatypes.len();
        for &at in names {
            let name = self.symbol(at)?;
            let id = DatatypeId::new(self.names.background.datatypes.len());
            let span = self.span(at);
            let messages = &mut self.messages;
            let meaning = SortName::Datatype(id);
            self.names.declare_sort(&name, meaning, span, messages)?;
            self.names.background.datatypes.push(Datatype {
                name,
                type_params: Vec::new(),
                constructors: Vec::new(),
                fields: Vec::new(),
                attributes: Vec::new(),
                span,
            });
        }
        for (index, &constructors) in (from..).zip(all) {
            let id = DatatypeId::new(index);
            let (mut made, mut fields) = (Vec::new(), Vec::<Field>::new());
            for &constructor in exprs.list(constructors).unwrap_or_default() {
                let (at, selectors) = match exprs.list(constructor) {
                    Some([name, selectors @ ..]) => (*name, selectors),
                    Some([]) => return Err(self.syntax("a constructor is expected", constructor)),
                    // `nil` for `(nil)`.
                    None => (constructor, &[][..]),
                };
                let name = self.symbol(at)?;
                if name == "par" {
                    return Err(self.not_supported("a datatype with parameters", at));
                }
                let mut positions = Vec::new();
                for &selector in selectors {
                    let Some(&[field, sort]) = exprs.list(selector) else {
                        return Err(self.syntax("a name and a sort are expected", selector));
                    };
                    let text = self.symbol(field)?;
                    let ty = self.sort(sort)?;
                    self.declare(&text, Symbol::Selector(id, fields.len()), field)?;
                    let position = positions.len();
                    positions.push(fields.len());
                    let span = self.span(field);
                    fields.push(Field {
                        name: text,
                        ty,
                        positions: vec![(made.len(), position)],
                        span,
                    });
                }
                self.declare(&name, Symbol::Constructor(id, made.len()), at)?;
                let span = self.span(at);
                made.push(Constructor {
                    name,
                    fields: positions,
                    span,
                });
            }
            if made.is_empty() {
                return Err(self.syntax("a datatype has constructors", constructors));
            }
            if let Some(datatype) = self.names.background.datatypes.get_mut(index) {
                datatype.constructors = made;
                datatype.fields = fields;
            }
        }
        Ok(())
    }

    fn assert(&mut self, formula: sexpr::Expr, at: sexpr::Expr) -> Result<(), Reported> {
        let mut scope = Scope::new(State::None);
        let formula = self.term_of(formula, &mut scope, &Type::Bool)?;
        self.after_call("`assert` behind a `verify-call`", at);
        self.axiom(formula, at);
        Ok(())
    }

    /// What stands here says something about later calls alone, but all of them are verified together.
    fn after_call(&mut self, what: &'static str, at: sexpr::Expr) {
        if !self.calls.is_empty() {
            let span = self.span(at);
            self.unsupported.push((what, span));
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
            self.after_call("`annotate-tag` behind a `verify-call` that it is about", at);
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

/// `a = b`, of one type.
fn equation(a: Expr, b: Expr) -> Expr {
    let span = b.span;
    let op = match a.ty {
        Type::Bool => BinaryOp::Iff,
        _ => BinaryOp::Eq,
    };
    Expr::new(
        ExprKind::Binary(op, Box::new(a), Box::new(b)),
        Type::Bool,
        span,
    )
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
