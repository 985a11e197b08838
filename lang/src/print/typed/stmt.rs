//! Statements: assignments to parts of a value, `else if`, and the labels of `break`.

use super::{Converter, NOWHERE, ident};
use crate::ast::{self, AssignTarget, Block, CallArg, Expr, ExprKind, PathStep, Stmt, StmtKind};
use crate::hir::visit::{Visit, walk_stmt};
use crate::hir::{self, BlockId, Implementation, LabelId, VarRef};
use crate::stack::ensure_stack;
use crate::visit::each;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The left side of an assignment may have so many steps.
const MAX_PATH: usize = crate::typing::MAX_PATH;

/// The labels of a body.
#[derive(Default)]
pub(super) struct Labels {
    names: Vec<Arc<str>>,
    taken: HashSet<Arc<str>>,
    /// Statements that a `break` leaves which is not directly in their loop's body.
    left: HashSet<BlockId>,
    /// The labels in front of those of them that are around the statement at hand.
    exits: HashMap<BlockId, Arc<str>>,
    /// The innermost loop around the statement at hand.
    inner: Option<BlockId>,
}

impl Labels {
    pub(super) fn of(implementation: &Implementation) -> Labels {
        let mut labels = Labels::default();
        for label in &implementation.labels {
            let name = labels.new_name(&label.name);
            labels.names.push(name);
        }
        let mut left = Left {
            inner: None,
            found: HashSet::new(),
        };
        each!(left.visit_stmt(&implementation.body));
        labels.left = left.found;
        labels
    }

    fn name(&self, id: LabelId) -> Arc<str> {
        let name = self.names.get(id.index()).cloned();
        name.unwrap_or_else(|| "?missing".into())
    }

    /// A label like this one that is none yet.
    fn new_name(&mut self, wanted: &str) -> Arc<str> {
        let mut name: Arc<str> = wanted.into();
        let mut count = self.taken.len();
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}~{count}").into();
            count += 1;
        }
        name
    }
}

/// Finds the statements that a `break` leaves which is not directly in their loop's body.
struct Left {
    /// The innermost loop around the statement at hand.
    inner: Option<BlockId>,
    found: HashSet<BlockId>,
}

impl<'t> Visit<'t> for Left {
    fn visit_stmt(&mut self, stmt: &'t hir::Stmt) {
        match &stmt.kind {
            hir::StmtKind::Break(id) if self.inner != Some(*id) => {
                self.found.insert(*id);
            }
            hir::StmtKind::While { id, .. } => {
                let outer = self.inner.replace(*id);
                walk_stmt(self, stmt);
                self.inner = outer;
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_attribute(&mut self, _: &'t hir::Attribute) {}
    fn visit_expr(&mut self, _: &'t hir::Expr) {}
}

fn plain(kind: StmtKind) -> Stmt {
    with(kind, Vec::new())
}

fn with(kind: StmtKind, attributes: Vec<ast::Attribute>) -> Stmt {
    Stmt {
        kind,
        attributes,
        span: NOWHERE,
    }
}

impl Converter<'_> {
    pub(super) fn block(&mut self, stmts: &[hir::Stmt]) -> Block {
        let mut result = Vec::with_capacity(stmts.len());
        // The last label directly in front of the statement.
        let mut label = None;
        for stmt in stmts {
            match &stmt.kind {
                hir::StmtKind::Label(id) => {
                    let name = self.labels.name(*id);
                    result.push(plain(StmtKind::Label(ident(name.clone()))));
                    label = Some(name);
                    continue;
                }
                hir::StmtKind::If { id, .. } | hir::StmtKind::While { id, .. }
                    if self.labels.left.contains(id) =>
                {
                    let name = label.take().unwrap_or_else(|| {
                        let name = self.labels.new_name("exit~1");
                        result.push(plain(StmtKind::Label(ident(name.clone()))));
                        name
                    });
                    self.labels.exits.insert(*id, name);
                }
                _ => {}
            }
            label = None;
            result.extend(ensure_stack(|| self.stmt(stmt)));
        }
        Block {
            stmts: result,
            span: NOWHERE,
        }
    }

    fn stmt(&mut self, stmt: &hir::Stmt) -> Option<Stmt> {
        Some(match &stmt.kind {
            hir::StmtKind::Assert {
                condition,
                attributes,
            } => {
                let attributes = self.attributes(attributes);
                with(StmtKind::Assert(self.expr(condition)), attributes)
            }
            hir::StmtKind::Assume {
                condition,
                attributes,
            } => {
                let attributes = self.attributes(attributes);
                with(StmtKind::Assume(self.expr(condition)), attributes)
            }
            hir::StmtKind::Havoc(vars) if vars.is_empty() => return None,
            hir::StmtKind::Havoc(vars) => plain(StmtKind::Havoc(self.variables(vars))),
            hir::StmtKind::Assign { pairs } if pairs.is_empty() => return None,
            hir::StmtKind::Assign { pairs } => {
                let (targets, values) = pairs
                    .iter()
                    .map(|(var, value)| self.assignment(*var, value))
                    .unzip();
                plain(StmtKind::Assign { targets, values })
            }
            hir::StmtKind::Call {
                callee,
                args,
                results,
                free,
                attributes,
                ..
            } => {
                let call = ast::Call {
                    attributes: self.attributes(attributes),
                    targets: self.variables(results),
                    name: ident(self.procedure_name(*callee)),
                    args: self.exprs(args),
                    span: NOWHERE,
                };
                plain(StmtKind::Call { free: *free, call })
            }
            hir::StmtKind::CallForall { callee, args, .. } => plain(StmtKind::CallForall {
                name: ident(self.procedure_name(*callee)),
                args: args
                    .iter()
                    .map(|arg| match arg {
                        Some(arg) => CallArg::Expr(self.expr(arg)),
                        None => CallArg::Any(NOWHERE),
                    })
                    .collect(),
            }),
            hir::StmtKind::If { .. } => self.if_statement(stmt),
            hir::StmtKind::While {
                id,
                condition,
                invariants,
                body,
            } => {
                let guard = self.guard(condition.as_ref());
                let invariants = invariants
                    .iter()
                    .map(|invariant| ast::Invariant {
                        free: invariant.free,
                        attributes: self.attributes(&invariant.attributes),
                        expr: self.expr(&invariant.expr),
                        span: NOWHERE,
                    })
                    .collect();
                let outer = self.labels.inner.replace(*id);
                let body = self.block(body);
                self.labels.inner = outer;
                plain(StmtKind::While {
                    guard,
                    invariants,
                    measures: Vec::new(),
                    body,
                })
            }
            hir::StmtKind::Break(id) if self.labels.inner == Some(*id) => {
                plain(StmtKind::Break(None))
            }
            hir::StmtKind::Break(id) => {
                let label = self.labels.exits.get(id).cloned();
                let label = label.unwrap_or_else(|| "?missing".into());
                plain(StmtKind::Break(Some(ident(label))))
            }
            hir::StmtKind::Goto(labels) => plain(StmtKind::Goto(
                labels
                    .iter()
                    .map(|label| ident(self.labels.name(*label)))
                    .collect(),
            )),
            hir::StmtKind::Label(id) => plain(StmtKind::Label(ident(self.labels.name(*id)))),
            hir::StmtKind::Return => plain(StmtKind::Return(None)),
            hir::StmtKind::Unsupported { what } => unsupported(what),
        })
    }

    /// The statement with the `else if`s behind it.
    fn if_statement(&mut self, stmt: &hir::Stmt) -> Stmt {
        let mut branches = Vec::new();
        let mut last = std::slice::from_ref(stmt);
        while let [only] = last
            && let hir::StmtKind::If {
                id,
                condition,
                then,
                otherwise,
            } = &only.kind
            // A label cannot stand in front of an `else if`.
            && (branches.is_empty() || !self.labels.left.contains(id))
        {
            let guard = self.guard(condition.as_ref());
            branches.push((guard, self.block(then)));
            last = otherwise;
        }
        let otherwise = (!last.is_empty()).then(|| self.block(last));
        plain(StmtKind::If {
            branches,
            otherwise,
        })
    }

    fn guard(&mut self, condition: Option<&hir::Expr>) -> ast::Guard {
        match condition {
            Some(condition) => ast::Guard::Expr(self.expr(condition)),
            None => ast::Guard::Any(NOWHERE),
        }
    }

    fn variables(&self, vars: &[VarRef]) -> Vec<ast::Ident> {
        vars.iter().map(|var| ident(self.names.of(*var))).collect()
    }

    fn procedure_name(&self, id: hir::ProcedureId) -> Arc<str> {
        let procedure = self.program.procedures.get(id.index());
        procedure
            .map_or("?missing", |procedure| &procedure.name)
            .into()
    }

    /// Target and value. `m := m[i := m[i][j := e]]` becomes `m[i][j] := e`, for as many steps as there are.
    fn assignment(&mut self, var: VarRef, value: &hir::Expr) -> (AssignTarget, Expr) {
        let name = ident(self.names.of(var));
        let mut path = Vec::new();
        // What the target means so far.
        let mut part = Expr::new(ExprKind::Ident(name.clone()), NOWHERE);
        let mut value = self.expr(value);
        while path.len() < MAX_PATH && replaces_in(&value, &part) {
            match value.into_kind() {
                ExprKind::Store {
                    map,
                    indices,
                    value: inner,
                } => {
                    path.push(PathStep::Index(indices.clone(), NOWHERE));
                    part = Expr::new(ExprKind::Select { map, indices }, NOWHERE);
                    value = *inner;
                }
                ExprKind::FieldUpdate {
                    operand,
                    field,
                    value: inner,
                } => {
                    path.push(PathStep::Field(field.clone()));
                    part = Expr::new(ExprKind::Field { operand, field }, NOWHERE);
                    value = *inner;
                }
                other => {
                    value = Expr::new(other, NOWHERE);
                    break;
                }
            }
        }
        let target = AssignTarget {
            name,
            path,
            span: NOWHERE,
        };
        (target, value)
    }
}

/// Whether the value is `part` with something in it replaced.
fn replaces_in(value: &Expr, part: &Expr) -> bool {
    match &value.kind {
        ExprKind::Store { map, .. } => **map == *part,
        ExprKind::FieldUpdate { operand, .. } => **operand == *part,
        _ => false,
    }
}

/// A statement that nobody understands. What it does is lost; whoever reaches it must still get no verdict.
fn unsupported(what: &str) -> Stmt {
    use ast::Unsupported::*;
    let statement = match what {
        "yield statement" => Yield,
        "atomic block" => Atomic(Block::default()),
        _ => {
            let what = ast::Literal::String(what.replace('\n', " "));
            let attribute = ast::Attribute {
                name: ident("unsupported".into()),
                args: vec![Expr::new(ExprKind::Literal(what), NOWHERE)],
                span: NOWHERE,
            };
            let never = ExprKind::Literal(ast::Literal::Bool(false));
            return with(StmtKind::Assert(Expr::new(never, NOWHERE)), vec![attribute]);
        }
    };
    plain(StmtKind::Unsupported(statement))
}
