//! Statements, and what is annotated to them.

use ult_lang::hir::{Expr, StmtKind};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::{Body, Loop};
use crate::flow;
use crate::program::{Moment, Property, PropertyKind, Statement, StatementKind};

impl Body<'_> {
    pub(super) fn statement(&mut self, statement: &Statement, is_body: bool) {
        ensure_stack(|| self.contract(statement, is_body));
    }

    /// A statement with its own contract, if it has one.
    pub(super) fn contract(&mut self, statement: &Statement, is_body: bool) {
        let of = |kind: PropertyKind| -> Vec<&Property> {
            let properties = statement.properties.iter();
            properties
                .filter(|property| property.kind == kind)
                .collect()
        };
        let requires = of(PropertyKind::Requires);
        let ensures = of(PropertyKind::Ensures);
        if is_body || requires.is_empty() && ensures.is_empty() {
            return self.plain(statement);
        }
        let span = statement.span;
        for tag in &statement.tags {
            self.remember(&Moment::Tag(tag.clone()), span);
        }
        for property in &requires {
            self.check(property, ":requires");
        }
        let jumps = flow::has_jumps(statement);
        if jumps || self.context.counter.is_some() {
            if jumps && self.context.counter.is_none() {
                self.unsupported(
                    "a contract of a statement that is jumped into or out of",
                    span,
                );
            }
            self.plain(statement);
            for property in &ensures {
                self.check(property, ":ensures");
            }
            return;
        }
        let modified = self.modified(statement);
        let any = modified.clone();
        self.branch(
            None,
            span,
            |body| {
                body.havoc(any, span);
                body.assume(Self::conjunction(&requires, span), span);
                body.plain(statement);
                for property in &ensures {
                    body.check(property, ":ensures");
                }
                body.dead(span);
            },
            |_| (),
        );
        self.havoc(modified, span);
        self.assume(Self::conjunction(&ensures, span), span);
    }

    pub(super) fn plain(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::While { condition, body } => {
                return self.while_loop(statement, condition, body);
            }
            StatementKind::Label(name) => return self.labelled(statement, name),
            _ => self.checks(statement),
        }
        match &statement.kind {
            StatementKind::Assume(condition) => self.assume(condition.clone(), span),
            StatementKind::Assign(pairs) => self.assign(pairs.clone(), span),
            StatementKind::Sequence(parts) => {
                for part in parts {
                    self.statement(part, false);
                }
            }
            StatementKind::Call {
                callee,
                args,
                results,
            } => self.call(*callee, args, results, span),
            StatementKind::Return => match self.exit {
                Some(exit) => self.push(StmtKind::Goto(vec![exit]), span),
                None => self.push(StmtKind::Return, span),
            },
            StatementKind::Goto(name) => {
                let label = self.label(name, span);
                self.push(StmtKind::Goto(vec![label]), span);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(
                Some(condition.clone()),
                condition.span,
                |body| body.statement(then, false),
                |body| {
                    if let Some(otherwise) = otherwise {
                        body.statement(otherwise, false);
                    }
                },
            ),
            StatementKind::Break => {
                if let Some(around) = self.loops.last() {
                    let leave = around.leave;
                    self.push(StmtKind::Break(leave), span);
                }
            }
            StatementKind::Continue => {
                if let Some(around) = self.loops.last() {
                    let next = around.next;
                    self.push(StmtKind::Goto(vec![next]), span);
                }
            }
            StatementKind::Havoc(variables) => {
                self.havoc(variables.iter().copied(), span);
                self.havoc_step(variables, span);
            }
            StatementKind::Choice(parts) => self.choice(span, parts, 0),
            StatementKind::While { .. } | StatementKind::Label(_) => {}
        }
    }

    pub(super) fn choice(&mut self, whole: Span, parts: &[Statement], number: usize) {
        let Some((first, rest)) = parts.split_first() else {
            return;
        };
        let work = |body: &mut Self| {
            body.choice_step(number, first.span);
            body.statement(first, false);
        };
        let span = super::alternative(whole, first.span);
        match (rest.is_empty(), number) {
            // A choice is told by a run, also if there is none.
            (true, 0) => self.branch(None, span, work, |body| body.dead(span)),
            (true, _) => work(self),
            (false, _) => ensure_stack(|| {
                self.branch(None, span, work, |body| {
                    body.choice(whole, rest, number + 1)
                });
            }),
        }
    }

    pub(super) fn labelled(&mut self, statement: &Statement, name: &str) {
        let span = statement.span;
        let label = self.label(name, span);
        self.push(StmtKind::Label(label), span);
        let invariants = Self::invariants(statement);
        for tag in &statement.tags {
            self.remember(&Moment::Tag(tag.clone()), span);
        }
        for property in &invariants {
            self.check(property, ":invariant");
        }
        if !invariants.is_empty() {
            let changed = self.circles.get(name).cloned();
            match self.context.counter {
                Some(_) => {
                    let changed = changed.unwrap_or_default();
                    self.leap(&statement.tags, &changed, &invariants, span);
                }
                None => {
                    if let Some(changed) = changed {
                        if self.remembers_inside() {
                            let what = "an invariant of a label beside `at`";
                            self.unsupported(what, span);
                        }
                        self.havoc(changed, span);
                        self.assume(Self::conjunction(&invariants, span), span);
                    }
                }
            }
        }
        self.checks(statement);
    }

    pub(super) fn while_loop(
        &mut self,
        statement: &Statement,
        condition: &Expr,
        inside: &Statement,
    ) {
        let span = statement.span;
        let invariants = Self::invariants(statement);
        let whole = self.procedure.and_then(|procedure| procedure.body.as_ref());
        let entered = whole.is_some_and(|whole| flow::is_entered(whole, statement));
        if entered && !invariants.is_empty() && self.context.counter.is_none() {
            self.unsupported("an invariant of a loop that is jumped into", span);
        }
        let leave = self.block();
        let next = self.fresh_label("next", span);
        self.loops.push(Loop { leave, next });
        let continues = flow::continues(inside);
        let round = |body: &mut Self| {
            body.statement(inside, false);
            if continues {
                body.push(StmtKind::Label(next), span);
            }
        };
        if invariants.is_empty() || entered || self.context.counter.is_some() {
            let changed = self.modified(statement);
            let head = |body: &mut Self| {
                for property in &invariants {
                    body.check(property, ":invariant");
                }
                body.leap(&statement.tags, &changed, &invariants, span);
                body.checks(statement);
            };
            head(self);
            let inner = self.apart(|body| {
                round(body);
                head(body);
            });
            let kind = StmtKind::While {
                id: leave,
                condition: Some(condition.clone()),
                invariants: Vec::new(),
                body: inner,
            };
            self.push(kind, condition.span);
        } else {
            for property in &invariants {
                self.check(property, ":invariant when the loop is entered");
            }
            let changed = self.modified(statement);
            self.havoc(changed, span);
            self.assume(Self::conjunction(&invariants, span), span);
            self.checks(statement);
            self.branch_as(
                leave,
                Some(condition.clone()),
                condition.span,
                |body| {
                    round(body);
                    for property in &invariants {
                        body.check(property, ":invariant after a round");
                    }
                    body.dead(span);
                },
                |_| (),
            );
        }
        self.loops.pop();
    }
}
