//! Statements.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast::{self, StmtKind as Ast};
use crate::diagnostic::Id;
use crate::hir::{BlockId, Condition, Expr, Label, LabelId, Stmt, StmtKind, Variable};
use crate::resolve::message::Message;
use crate::resolve::types::declared_twice;
use crate::span::Span;
use crate::stack::ensure_stack;

use super::Checker;
use super::measures::{last_round, not_negative};

/// What statements need to know about the body they are in.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// The labels by name.
    by_name: HashMap<Arc<str>, LabelId>,
    /// The labels by id.
    pub(super) labels: Vec<Label>,
    /// Measures that stand where a loop with `goto` begins.
    pub(super) heads: Vec<Span>,
    /// The `if`s and `while`s around the statement at hand.
    open: Vec<OpenBlock>,
    next_block: u32,
    /// Whether this is the body of a code expression.
    pub(super) in_code: bool,
    /// What its statements `return e;` return, by their places.
    pub(super) returned: Vec<(Span, Expr)>,
    /// The number of the first local variable that the text does not have.
    pub(super) first_free: usize,
    /// Those, in order: what measures were at the beginning of a round.
    pub(super) invented: Vec<Variable>,
}

#[derive(Debug)]
struct OpenBlock {
    id: BlockId,
    is_loop: bool,
    labels: Vec<Arc<str>>,
}

impl Checker<'_> {
    /// The statements of a whole body.
    pub(super) fn statements(&mut self, stmts: &[ast::Stmt]) -> Vec<Stmt> {
        self.collect_labels(stmts);
        self.collect_heads(stmts);
        self.block(stmts)
    }

    fn collect_labels(&mut self, stmts: &[ast::Stmt]) {
        for (name, _) in ast::visit::labels(stmts) {
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
                measures,
                body,
            } => {
                let condition = self.guard(guard, "the condition of `while`");
                let mut invariants: Vec<Condition> = invariants
                    .iter()
                    .map(|invariant| Condition {
                        expr: self.condition(&invariant.expr, "a loop invariant"),
                        free: invariant.free,
                        attributes: self.finished_attributes(&invariant.attributes),
                        span: invariant.span,
                    })
                    .collect();
                let measures: Vec<_> = measures.iter().map(|m| (&m.exprs[..], m.span)).collect();
                let measure = self.only_measure(&measures);
                let id = self.open_block(true, labels);
                let stmts = &body.stmts;
                let mut body = self.block(stmts);
                self.body.open.pop();
                if !measure.is_empty() {
                    invariants.extend(not_negative(&measure));
                    let last = last_round(stmts).unwrap_or(span);
                    body = self.measured(&measure, body, last);
                }
                StmtKind::While {
                    id,
                    condition,
                    invariants,
                    body,
                }
            }
            Ast::Measure(exprs) => {
                self.measure(exprs);
                self.infer.clear();
                if !self.body.heads.contains(&span) {
                    self.error(
                        Id::MEASURE,
                        "a measure stands at the beginning of a loop",
                        span,
                        "no loop begins here",
                    );
                    return;
                }
                let message = Message::warning(
                    Id::UNSUPPORTED,
                    "the measure of a loop with `goto` is not supported",
                    self.place(span),
                    "what reaches it is answered with UNKNOWN",
                );
                self.messages.push(message);
                StmtKind::Unsupported { what: "measure" }
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
                let Some(what) = self.unsupported(unsupported) else {
                    return;
                };
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

    pub(super) fn next_block(&mut self) -> BlockId {
        let id = BlockId(self.body.next_block);
        self.body.next_block += 1;
        id
    }

    fn open_block(&mut self, is_loop: bool, labels: Vec<Arc<str>>) -> BlockId {
        let id = self.next_block();
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
            let id = if index == 0 { outer } else { self.next_block() };
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
                let value = self.condition(value, "the value of a code expression");
                self.body.returned.push((span, value));
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

    /// Checks names and types inside of a statement that is not supported, and says what it is. `None` for one that only
    /// tells a prover what not to use: what follows from everything is true all the same.
    fn unsupported(&mut self, unsupported: &ast::Unsupported) -> Option<&'static str> {
        Some(match unsupported {
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
            ast::Unsupported::Visibility { reveal: _, name } => {
                if let Some(name) = name
                    && !self.env.callables.contains_key(&name.name)
                {
                    self.unknown_function(name);
                }
                return None;
            }
            ast::Unsupported::Push | ast::Unsupported::Pop => return None,
        })
    }
}
