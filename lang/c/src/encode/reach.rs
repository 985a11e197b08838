//! What can be reached from `main`, and what that needs.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;

use super::library;
use super::operations::runs_of;
use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, Place, Program, Stmt, StmtKind, VarId,
};
use crate::options::Properties;
use crate::types::Type;

/// What can be reached.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Functions that may be called.
    pub functions: BTreeSet<FunctionId>,
    /// Those of which several activations may exist at a time.
    pub recursive: BTreeSet<FunctionId>,
    /// Variables that are used.
    pub variables: BTreeSet<VarId>,
    /// Where runs start.
    pub main: Option<FunctionId>,
}

impl Reach {
    /// From `main`.
    pub fn of(program: &Program, properties: &Properties) -> Reach {
        let main = program.main;
        let mut reach = Reach {
            main,
            ..Reach::default()
        };
        // Calls through pointers may reach every function whose address is taken.
        let mut edges: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let mut work: Vec<FunctionId> = main.into_iter().chain(program.at_end).collect();
        work.extend(program.constructors());
        let mut indirect = BTreeSet::new();
        let mut addressed = BTreeSet::new();
        while let Some(id) = work.pop() {
            if !reach.functions.insert(id) {
                continue;
            }
            let function = program.function(id);
            let mut found = Found::default();
            if let Some(body) = function
                .body
                .as_ref()
                .filter(|_| !library::is_special(function, properties))
            {
                found.variables.extend(&function.params);
                found.statements(body);
            }
            let mut variables: Vec<VarId> = found.variables.iter().copied().collect();
            while let Some(variable) = variables.pop() {
                if !reach.variables.insert(variable) {
                    continue;
                }
                let mut inner = Found::default();
                for value in program.variable(variable).initial_values() {
                    inner.expr(value);
                }
                variables.extend(&inner.variables);
                found.addressed.extend(&inner.addressed);
            }
            if found.indirect {
                indirect.insert(id);
            }
            addressed.extend(&found.addressed);
            work.extend(&found.addressed);
            work.extend(&found.calls);
            edges.insert(id, found.calls);
        }
        for id in &indirect {
            edges.entry(*id).or_default().extend(&addressed);
        }
        for &id in &reach.functions {
            let mut seen = BTreeSet::new();
            let mut work: Vec<FunctionId> = edges[&id].iter().copied().collect();
            while let Some(next) = work.pop() {
                if next == id {
                    reach.recursive.insert(id);
                    break;
                }
                if seen.insert(next) {
                    work.extend(edges.get(&next).into_iter().flatten());
                }
            }
        }
        reach
    }
}

/// Whether an expression mentions a variable.
pub(crate) fn mentions(expr: &Expr, variable: VarId) -> bool {
    let mut found = Found::default();
    found.expr(expr);
    found.variables.contains(&variable)
}

/// What integers express badly.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NeedsBits {
    /// Operations on the bits of integers.
    pub operations: bool,
    /// Floating-point numbers.
    pub floats: bool,
}

/// What there is in the program that integers express badly.
pub(crate) fn needs_bits(program: &Program, reach: &Reach) -> NeedsBits {
    let mut found = Found::default();
    for &id in &reach.functions {
        let function = program.function(id);
        found.statements(function.body.as_deref().unwrap_or_default());
        found.bits.floats |= super::math::makes_integers(function);
    }
    found.bits
}

/// What a program does with pointers and integers.
pub(crate) fn conversions(program: &Program) -> Conversions {
    let mut found = Found::default();
    for function in &program.functions {
        found.statements(function.body.as_deref().unwrap_or_default());
    }
    for variable in &program.variables {
        for value in variable.initial_values() {
            found.expr(value);
        }
    }
    found.conversions
}

/// Conversions between pointers and integers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conversions {
    /// Whether some pointer is made of an integer other than 0.
    pub numeric: bool,
    /// Whether some pointer is made of an integer that is no constant.
    pub makes_pointers: bool,
    /// Whether some pointer becomes an integer.
    pub exposes: bool,
}

/// What a piece of program mentions.
#[derive(Default)]
struct Found {
    variables: BTreeSet<VarId>,
    calls: BTreeSet<FunctionId>,
    addressed: BTreeSet<FunctionId>,
    indirect: bool,
    bits: NeedsBits,
    conversions: Conversions,
}

impl Visit for Found {
    fn statement(&mut self, node: &Stmt) {
        match &node.kind {
            StmtKind::Declare(variable) => {
                self.variables.insert(*variable);
            }
            StmtKind::Call { callee, .. } => match callee {
                Callee::Function(id) => {
                    self.calls.insert(*id);
                }
                Callee::Pointer(..) => self.indirect = true,
            },
            _ => {}
        }
        visit::statement(self, node);
    }

    fn place(&mut self, node: &Place) {
        if let Base::Variable(variable) = &node.base {
            self.variables.insert(*variable);
        }
        visit::place(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        self.bits.floats |= super::math::computes(node);
        let is_pointer = matches!(node.ty, Type::Pointer(_));
        match &node.kind {
            ExprKind::Int(value) => self.conversions.numeric |= *value != 0 && is_pointer,
            ExprKind::Function(function) => {
                self.addressed.insert(*function);
            }
            ExprKind::Convert(operand) => {
                let zero = matches!(operand.kind, ExprKind::Int(0));
                self.conversions.numeric |= is_pointer && operand.ty.is_integer() && !zero;
                self.conversions.makes_pointers |=
                    is_pointer && operand.ty.is_integer() && constant(operand).is_none();
                let exposes = operand.ty.is_pointer() && matches!(node.ty, Type::Int(_));
                self.conversions.exposes |= exposes && !zero;
            }
            ExprKind::Binary(op, left, right) => {
                self.bits.operations |= is_about_bits(*op, left, right);
            }
            _ => {}
        }
        visit::expr(self, node);
    }
}

/// Whether integers express the operation badly: on the bits of two variables, or shifts by
/// variables.
fn is_about_bits(op: BinaryOp, left: &Expr, right: &Expr) -> bool {
    match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            let mask = constant(left).or_else(|| constant(right));
            let truths = is_truth(left) && is_truth(right);
            !truths && mask.is_none_or(|mask| runs_of(&mask) > 2)
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => constant(right).is_none(),
        _ => false,
    }
}

fn constant(expr: &Expr) -> Option<BigInt> {
    match &expr.kind {
        ExprKind::Int(value) => Some(BigInt::from(*value)),
        ExprKind::Convert(operand) => constant(operand),
        ExprKind::Unary(crate::ir::UnaryOp::Complement, operand) => {
            constant(operand).map(|value| -value - 1)
        }
        ExprKind::Unary(crate::ir::UnaryOp::Negate, operand) => constant(operand).map(|v| -v),
        _ => None,
    }
}

/// Whether the value is 0 or 1.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => true,
        ExprKind::Int(0 | 1) => true,
        ExprKind::Convert(operand) => is_truth(operand),
        ExprKind::Read(_) => expr.ty == Type::Bool,
        _ => false,
    }
}
