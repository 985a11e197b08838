//! Measures: what becomes smaller from round to round of a loop, or from call to call of procedures that call each other.
//!
//! A measure is a list of numbers and truth values, and is smaller where the first difference is: a smaller number, or false
//! instead of true. Numbers must not be negative. All of it becomes assertions and preconditions, so that nobody behind
//! needs to know:
//!
//! ```text
//! while (c) measure e; { s }    while (c) invariant e >= 0; { old := e; s assert e < old; }
//! procedure p(x: T) measure e;  requires e >= 0;  and before recursive calls  assert e[args for x] < old(e);
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::visit::mutable::{self, VisitMut};
use crate::hir::{
    BinaryOp, Condition, Expr, ExprKind, LocalId, NaryOp, ProcedureId, Program, Stmt, StmtKind,
    Type, VarRef, Variable,
};
use crate::resolve::message::{Message, Place};
use crate::resolve::types::substitute;
use crate::span::Span;
use crate::stack::ensure_stack;

use super::Checker;
use super::item::Measure;

impl Checker<'_> {
    /// The one measure that a loop or procedure may have; empty if there is none.
    pub(super) fn only_measure(&mut self, measures: &[(&[ast::Expr], Span)]) -> Vec<Expr> {
        let mut typed = measures
            .iter()
            .map(|(exprs, _)| self.measure(exprs))
            .collect::<Vec<_>>();
        if let [(_, first), (_, second), ..] = measures {
            let message = Message::error(
                Id::MEASURE,
                "there is more than one measure",
                self.place(*second),
                "the second one",
            )
            .with_label(self.place(*first), "the first one")
            .with_help("one measure may have several parts: `measure e, f;`");
            self.messages.push(message);
        }
        typed.truncate(1);
        typed.pop().unwrap_or_default()
    }

    /// The parts of a measure.
    pub(super) fn measure(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        self.infer.clear();
        let mut typed = self.exprs(exprs);
        for expr in &mut typed {
            self.finish(expr);
        }
        for expr in &typed {
            if !matches!(expr.ty, Type::Int | Type::Bool | Type::Error) {
                let found = self.show(&expr.ty);
                self.error(
                    Id::TYPE_MISMATCH,
                    format!("a measure: expected `int` or `bool`, found `{found}`"),
                    expr.span,
                    format!("this is of type `{found}`"),
                );
            }
        }
        self.infer.clear();
        typed
    }

    /// Notes the measures that stand where a loop with `goto` begins: behind a label to which a later `goto` leads, and
    /// before anything changes.
    pub(super) fn collect_heads(&mut self, stmts: &[ast::Stmt]) {
        let mut goals: HashMap<&str, usize> = HashMap::new();
        for (number, stmt) in stmts.iter().enumerate() {
            if let ast::StmtKind::Goto(labels) = &stmt.kind {
                goals.extend(labels.iter().map(|label| (&*label.name, number)));
            }
        }
        let (mut is_head, mut found) = (false, None);
        for (number, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                ast::StmtKind::Label(label) => {
                    is_head = goals.get(&*label.name).is_some_and(|goto| *goto > number);
                    found = None;
                }
                ast::StmtKind::Assert(_) | ast::StmtKind::Assume(_) => {}
                ast::StmtKind::Measure(_) if is_head => {
                    if let Some(first) = found.replace(stmt.span) {
                        let message = Message::error(
                            Id::MEASURE,
                            "there is more than one measure",
                            self.place(stmt.span),
                            "the second one",
                        );
                        let first = self.place(first);
                        self.messages
                            .push(message.with_label(first, "the first one"));
                    }
                    self.body.heads.push(stmt.span);
                }
                _ => is_head = false,
            }
        }
    }

    /// The body of a loop with a measure.
    pub(super) fn measured(&mut self, measure: &[Expr], body: Vec<Stmt>, last: Span) -> Vec<Stmt> {
        let mut pairs = Vec::new();
        let mut before = Vec::new();
        for part in measure {
            let number = self.body.first_free + self.body.invented.len();
            let variable = VarRef::Local(LocalId::new(number));
            self.body.invented.push(Variable {
                name: format!("measure~{}", self.body.invented.len()),
                ty: part.ty.clone(),
                where_clause: None,
                attributes: Vec::new(),
                span: part.span,
            });
            pairs.push((variable, part.clone()));
            let read = ExprKind::Var(variable);
            before.push(Expr::new(read, part.ty.clone(), part.span));
        }
        let mut stmts = vec![Stmt::new(StmtKind::Assign { pairs }, last)];
        stmts.extend(body);
        stmts.push(assertion(less(measure, &before, last), last));
        stmts
    }
}

/// Where the last straight piece of a loop's body begins: that is where Boogie says that a measure does not decrease.
pub(super) fn last_round(stmts: &[ast::Stmt]) -> Option<Span> {
    use ast::StmtKind::{Break, Goto, If, Label, Return, While};
    let is_turn = |stmt: &ast::Stmt| {
        matches!(
            stmt.kind,
            Break(_) | Goto(_) | If { .. } | Label(_) | Return(_) | While { .. }
        )
    };
    let behind = stmts.iter().rposition(is_turn).map_or(0, |turn| turn + 1);
    stmts.get(behind).or(stmts.last()).map(|stmt| stmt.span)
}

fn formula(kind: ExprKind, span: Span) -> Expr {
    Expr::new(kind, Type::Bool, span)
}

fn binary(op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Expr {
    formula(
        ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())),
        span,
    )
}

/// That one measure is smaller than another one with as many parts of the same types.
fn less(smaller: &[Expr], larger: &[Expr], span: Span) -> Expr {
    let mut ways = Vec::new();
    for (place, (a, b)) in smaller.iter().zip(larger).enumerate() {
        let mut all: Vec<Expr> = smaller
            .iter()
            .zip(larger)
            .take(place)
            .map(|(a, b)| binary(BinaryOp::Eq, a, b, span))
            .collect();
        if a.ty == Type::Bool {
            all.push(formula(ExprKind::Not(Box::new(a.clone())), span));
            all.push(b.clone());
        } else {
            all.push(binary(BinaryOp::Lt, a, b, span));
        }
        ways.push(match <[Expr; 1]>::try_from(all) {
            Ok([one]) => one,
            Err(all) => formula(ExprKind::Nary(NaryOp::And, all), span),
        });
    }
    match <[Expr; 1]>::try_from(ways) {
        Ok([one]) => one,
        Err(ways) => formula(ExprKind::Nary(NaryOp::Or, ways), span),
    }
}

fn assertion(condition: Expr, span: Span) -> Stmt {
    let attributes = Vec::new();
    Stmt::new(
        StmtKind::Assert {
            condition,
            attributes,
        },
        span,
    )
}

/// That the numbers of a measure are not negative.
pub(super) fn not_negative(measure: &[Expr]) -> impl Iterator<Item = Condition> {
    let numbers = measure.iter().filter(|part| part.ty == Type::Int);
    numbers.map(|part| {
        let zero = Expr::new(ExprKind::Int(BigInt::from(0)), Type::Int, part.span);
        Condition {
            expr: binary(BinaryOp::Ge, part, &zero, part.span),
            free: false,
            attributes: Vec::new(),
            span: part.span,
        }
    })
}

/// Obliges procedures that call each other to keep their measures. The places in the program are those of the text.
pub(super) fn oblige(program: &mut Program, measures: &[Measure], messages: &mut Vec<Message>) {
    if measures.is_empty() {
        return;
    }
    let measures: BTreeMap<ProcedureId, &[Expr]> = measures
        .iter()
        .map(|measure| (measure.procedure, &measure.exprs[..]))
        .collect();
    let reached = reached(program);
    let params: Vec<Parameters> = program.procedures.iter().map(Parameters::of).collect();
    for (id, parts) in &measures {
        let Some(procedure) = program.procedures.get_mut(id.index()) else {
            continue;
        };
        procedure.requires.extend(not_negative(parts));
    }
    for implementation in &mut program.implementations {
        let caller = implementation.procedure;
        let Some(own) = measures.get(&caller) else {
            continue;
        };
        let mut calls = Calls {
            caller,
            own,
            measures: &measures,
            reached: &reached,
            params: &params,
            messages,
        };
        calls.block(&mut implementation.body);
    }
}

/// What stands for what in the contract of a procedure.
struct Parameters {
    types: Vec<crate::hir::TypeVarId>,
    ins: usize,
}

impl Parameters {
    fn of(procedure: &crate::hir::Procedure) -> Parameters {
        Parameters {
            types: procedure.type_params.iter().map(|param| param.id).collect(),
            ins: procedure.ins.len(),
        }
    }
}

/// Which procedures each one calls, also by way of others.
fn reached(program: &Program) -> BTreeMap<ProcedureId, BTreeSet<ProcedureId>> {
    let mut calls: BTreeMap<ProcedureId, BTreeSet<ProcedureId>> = BTreeMap::new();
    for implementation in &program.implementations {
        let own = calls.entry(implementation.procedure).or_default();
        crate::hir::visit::statements(&implementation.body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                own.insert(*callee);
            }
        });
    }
    let mut all = BTreeMap::new();
    for &from in calls.keys() {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(next) = waiting.pop() {
            for &called in calls.get(&next).into_iter().flatten() {
                if seen.insert(called) {
                    waiting.push(called);
                }
            }
        }
        all.insert(from, seen);
    }
    all
}

struct Calls<'p, 'm> {
    caller: ProcedureId,
    own: &'p [Expr],
    measures: &'p BTreeMap<ProcedureId, &'p [Expr]>,
    reached: &'p BTreeMap<ProcedureId, BTreeSet<ProcedureId>>,
    params: &'p [Parameters],
    messages: &'m mut Vec<Message>,
}

impl Calls<'_, '_> {
    fn block(&mut self, stmts: &mut Vec<Stmt>) {
        let mut result = Vec::with_capacity(stmts.len());
        for mut stmt in stmts.drain(..) {
            match &mut stmt.kind {
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    ensure_stack(|| self.block(then));
                    ensure_stack(|| self.block(otherwise));
                }
                StmtKind::While { body, .. } => ensure_stack(|| self.block(body)),
                StmtKind::Call {
                    callee,
                    type_args,
                    args,
                    ..
                } => result.extend(self.call(*callee, type_args, args, stmt.span)),
                _ => {}
            }
            result.push(stmt);
        }
        *stmts = result;
    }

    /// What has to hold before a call.
    fn call(
        &mut self,
        callee: ProcedureId,
        type_args: &[Type],
        args: &[Expr],
        span: Span,
    ) -> Option<Stmt> {
        let calls_back = self.reached.get(&callee)?.contains(&self.caller);
        let params = self.params.get(callee.index()).filter(|_| calls_back)?;
        let theirs = self.measures.get(&callee).copied().unwrap_or_default();
        let types =
            |measure: &[Expr]| -> Vec<Type> { measure.iter().map(|e| e.ty.clone()).collect() };
        if types(theirs) != types(self.own) {
            self.messages.push(
                Message::error(
                    Id::MEASURE,
                    "procedures that call each other need measures of the same kind",
                    Place {
                        item: u32::MAX,
                        span,
                    },
                    "the measure of what is called has other parts",
                )
                .with_help("as many parts, of the same types"),
            );
            return None;
        }
        let mut there = theirs.to_vec();
        let mut actual = Actual {
            params,
            type_args,
            args,
        };
        for part in &mut there {
            actual.visit_expr(part);
        }
        let here: Vec<Expr> = self
            .own
            .iter()
            .map(|part| {
                Expr::new(
                    ExprKind::Old(Box::new(part.clone())),
                    part.ty.clone(),
                    part.span,
                )
            })
            .collect();
        Some(assertion(less(&there, &here, span), span))
    }
}

/// Puts arguments for parameters.
struct Actual<'c> {
    params: &'c Parameters,
    type_args: &'c [Type],
    args: &'c [Expr],
}

impl VisitMut for Actual<'_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Var(VarRef::Local(id)) = expr.kind
            && id.index() < self.params.ins
            && let Some(arg) = self.args.get(id.index())
        {
            *expr = arg.clone();
            return;
        }
        mutable::walk_expr(self, expr);
    }

    fn visit_type(&mut self, ty: &mut Type) {
        let stands_for = |var| {
            let place = self.params.types.iter().position(|param| *param == var)?;
            self.type_args.get(place).cloned()
        };
        *ty = substitute(ty, &stands_for);
    }
}
