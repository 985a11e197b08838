//! `select-trace`: one run, said by its choices.

use ult_lang::hir::{Axiom, Expr, ExprKind, VarRef};
use ult_lang::span::Span;
use ult_smtlib::sexpr::{self, Node};

use crate::operators::equal;
use crate::program::{PropertyKind, Statement};
use crate::reader::Reader;
use crate::terms::{Scope, State};
use crate::trace::{Step, Trace};
use ult_lang::diagnostic::Reported;

impl Reader<'_> {
    /// `(select-trace (model ...) (init-global-vars ...) (entry-proc p) (steps ...) (incorrect-annotation ...))`
    pub(crate) fn select_trace(
        &mut self,
        parts: &[sexpr::Expr],
        at: sexpr::Expr,
    ) -> Result<(), Reported> {
        let span = self.span(at);
        if !self.calls.is_empty() || self.trace.is_some() {
            self.unsupported.push((
                "more than one `select-trace`, or one after a `verify-call`",
                span,
            ));
            return Ok(());
        }
        let exprs = self.exprs;
        let named = |part: &sexpr::Expr| {
            let parts = exprs.list(*part)?;
            let (head, rest) = parts.split_first()?;
            Some((exprs.symbol(*head)?, rest, *part))
        };
        let parts: Vec<_> = parts.iter().filter_map(named).collect();
        let (
            [
                ("model", model, _),
                ("init-global-vars", globals, _),
                ("entry-proc", [entry], _),
                ("steps", steps, _),
                violated,
            ],
            more,
        ) = (match parts.split_at_checked(5) {
            Some((first, more)) => (first, more),
            None => return Err(self.syntax("`select-trace` in this form", at)),
        })
        else {
            return Err(self.syntax("`select-trace` in this form", at));
        };
        if !more.is_empty() {
            // It would be a claim about runs that never end.
            self.unsupported
                .push(("a trace with `using-annotation`", span));
            return Ok(());
        }
        let ("incorrect-annotation", [tag, attributes @ ..], whole) = violated else {
            self.unsupported
                .push(("a trace with an invalid step", span));
            return Ok(());
        };
        let mut trace = Trace {
            model: Vec::new(),
            globals: Vec::new(),
            entry: 0,
            steps: Vec::new(),
            violated: Vec::new(),
            span,
        };
        for &definition in *model {
            trace.model.push(self.model(definition)?);
        }
        for &value in *globals {
            let (name, at_name, value) = self.value(value)?;
            let scope = Scope::new(State::Globals);
            match self.variable(&name, &scope) {
                Some((VarRef::Global(id), ty)) => {
                    let value = self.fitted(value, &ty)?;
                    trace.globals.push((id, value));
                }
                _ => return Err(self.unknown("global variable", &name, at_name)),
            }
        }
        trace.entry = self.known_procedure(*entry)?;
        for &step in *steps {
            let step = self.step(step)?;
            trace.steps.push(step);
        }
        trace.violated = self.violated(*tag, attributes, *whole)?;
        self.trace = Some(trace);
        Ok(())
    }

    fn known_procedure(&mut self, at: sexpr::Expr) -> Result<usize, Reported> {
        let name = self.symbol(at)?;
        match self.procedure(&name) {
            Some(index) => Ok(index),
            None => Err(self.unknown("procedure", &name, at)),
        }
    }

    /// `(define-fun c () Int 1)`: what a constant is in the run.
    fn model(&mut self, at: sexpr::Expr) -> Result<Axiom, Reported> {
        let exprs = self.exprs;
        let (name, value) = match exprs.list(at) {
            Some(&[define, name, params, _, value])
                if exprs.symbol(define) == Some("define-fun")
                    && exprs.list(params).is_some_and(<[_]>::is_empty) =>
            {
                (name, value)
            }
            _ => return Err(self.not_supported("a model of something else than a constant", at)),
        };
        let mut scope = Scope::new(State::None);
        let constant = self.term(name, &mut scope)?;
        let ExprKind::Var(VarRef::Constant(_)) = constant.kind else {
            return Err(self.syntax("a constant is expected here", name));
        };
        let value = self.term_of(value, &mut scope, &constant.ty.clone())?;
        let span = self.span(at);
        Ok(Axiom {
            formula: equal(constant, value, span),
            attributes: Vec::new(),
            span,
        })
    }

    /// `(name value)`
    fn value(&mut self, at: sexpr::Expr) -> Result<(String, sexpr::Expr, Expr), Reported> {
        let Some(&[name, value]) = self.exprs.list(at) else {
            return Err(self.syntax("a variable and a value are expected here", at));
        };
        let text = self.symbol(name)?;
        let value = self.term(value, &mut Scope::new(State::None))?;
        Ok((text, name, value))
    }

    fn values(&mut self, all: &[sexpr::Expr]) -> Result<Vec<(String, Expr)>, Reported> {
        all.iter()
            .map(|&one| self.value(one).map(|(name, _, value)| (name, value)))
            .collect()
    }

    fn step(&mut self, at: sexpr::Expr) -> Result<Step, Reported> {
        let exprs = self.exprs;
        let parts = exprs.list(at).unwrap_or_default();
        let head = parts.first().and_then(|&head| exprs.symbol(head));
        match (head, parts) {
            (Some("init-proc-vars"), [_, name, values @ ..]) => {
                let procedure = self.known_procedure(*name)?;
                let mut found = Vec::new();
                for &value in values {
                    let (name, at, value) = self.value(value)?;
                    let known = self.procedures.get(procedure).and_then(|p| p.find(&name));
                    let Some((id, ty)) = known.map(|(id, v)| (id, v.ty.clone())) else {
                        return Err(self.unknown("variable of the procedure", &name, at));
                    };
                    found.push((id, self.fitted(value, &ty)?));
                }
                Ok(Step::Start {
                    procedure,
                    values: found,
                })
            }
            (Some("havoc"), [_, values @ ..]) => Ok(Step::Havoc(self.values(values)?)),
            (Some("choice"), [_, number]) => match exprs.node(*number) {
                Node::Numeral(digits) => match digits.parse() {
                    Ok(number) => Ok(Step::Choice(number)),
                    Err(_) => Err(self.syntax("this is no choice", at)),
                },
                _ => Err(self.syntax("a number is expected here", *number)),
            },
            (Some("leap"), [_, tag, values @ ..]) => Ok(Step::Leap {
                tag: self.symbol(*tag)?,
                values: self.values(values)?,
            }),
            _ => Err(self.syntax("a step is expected here", at)),
        }
    }

    /// The properties of a tag that are said to be violated. They must stand there as they are written here.
    fn violated(
        &mut self,
        tag: sexpr::Expr,
        attributes: &[sexpr::Expr],
        whole: sexpr::Expr,
    ) -> Result<Vec<Span>, Reported> {
        let tag = self.symbol(tag)?;
        let mut found = Vec::new();
        let mut rest = attributes;
        while let [key, behind @ ..] = rest {
            let exprs = self.exprs;
            let Node::Keyword(keyword) = exprs.node(*key) else {
                return Err(self.syntax("an attribute is expected here", *key));
            };
            let kind = PropertyKind::ALL
                .into_iter()
                .find(|kind| kind.keyword() == keyword);
            let value = match behind {
                [value, behind @ ..] if !matches!(exprs.node(*value), Node::Keyword(_)) => {
                    rest = behind;
                    Some(*value)
                }
                behind => {
                    rest = behind;
                    None
                }
            };
            let (Some(kind), Some(value)) = (kind, value) else {
                let span = self.span(*key);
                self.unsupported
                    .push(("a trace that violates a liveness property", span));
                continue;
            };
            let mut here = Vec::new();
            for procedure in &self.procedures {
                if let Some(body) = &procedure.body {
                    body.visit(&mut |statement: &Statement| {
                        if !statement.tags.contains(&tag) {
                            return;
                        }
                        let same = statement.properties.iter().filter(|p| {
                            p.kind == kind && p.value.is_some_and(|v| same(exprs, v, value))
                        });
                        here.extend(same.map(|property| property.span));
                    });
                }
            }
            if here.is_empty() {
                let message = format!("nothing at the tag `{tag}` says this");
                return Err(self.error(
                    ult_lang::diagnostic::Id::SVLIB_TRACE,
                    message,
                    *key,
                    "no such annotation",
                ));
            }
            found.extend(here);
        }
        if found.is_empty() {
            return Err(self.syntax("an annotation that is violated is expected here", whole));
        }
        Ok(found)
    }
}

/// Whether two s-expressions are the same.
fn same(exprs: &sexpr::Exprs, a: sexpr::Expr, b: sexpr::Expr) -> bool {
    let mut open = vec![(a, b)];
    while let Some((a, b)) = open.pop() {
        match (exprs.node(a), exprs.node(b)) {
            (Node::List(a), Node::List(b)) => {
                if a.len() != b.len() {
                    return false;
                }
                open.extend(a.iter().copied().zip(b.iter().copied()));
            }
            (a, b) if a == b => {}
            _ => return false,
        }
    }
    true
}
