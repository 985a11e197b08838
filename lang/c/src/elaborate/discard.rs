//! Values that are computed and dropped (C11 6.3.2.2, 6.8.3): whether that is defined still matters.

use ult_lang::stack::ensure_stack;

use crate::ir::{Base, BinaryOp, Expr, ExprKind, Place, Step, Stmt, StmtKind, Storage};
use crate::types::Type;

use super::{Elaborator, Operand, read};

impl Elaborator {
    /// Drops what an expression stands for. An object is read first, unless it is an array (C11 6.3.2.1).
    pub(super) fn discard(&mut self, operand: Operand) {
        let value = match operand {
            Operand::Place(object) => match object.ty {
                Type::Array(..) | Type::Void => self.address(object),
                _ => read(object),
            },
            Operand::Value(value) => value,
            Operand::Function(..) => return,
        };
        self.discard_value(value);
    }

    /// Drops a value: a statement computes it if that may be undefined.
    pub(super) fn discard_value(&mut self, value: Expr) {
        let computed = self.computed(vec![value]);
        self.out.extend(computed);
    }

    /// The statements that compute values and drop them, as far as that may be undefined.
    pub(super) fn computed(&self, values: Vec<Expr>) -> Vec<Stmt> {
        let values = values.into_iter().filter(|value| !self.is_harmless(value));
        let statement = |value: Expr| Stmt {
            span: value.span,
            kind: StmtKind::Evaluate(value),
        };
        values.map(statement).collect()
    }

    /// Whether computing the value is always defined.
    fn is_harmless(&self, value: &Expr) -> bool {
        let wraps = |ty: &Type| matches!(ty, Type::Int(int) if !int.signed);
        ensure_stack(|| match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => true,
            // It stands for operands that nobody looks at.
            ExprKind::Unsupported(_) => false,
            ExprKind::Read(place) => is_fixed(place) && self.is_written(place),
            ExprKind::Address(place) => {
                matches!(place.base, Base::Variable(_))
                    && place.path.iter().all(|step| match step {
                        Step::Field(..) => true,
                        Step::Index(index) => matches!(index.kind, ExprKind::Int(_)),
                    })
            }
            ExprKind::Unary(_, operand) => {
                (wraps(&value.ty) || matches!(value.ty, Type::Float(_)))
                    && self.is_harmless(operand)
            }
            ExprKind::Not(operand) => self.is_harmless(operand),
            ExprKind::Binary(op, left, right) => {
                let defined = match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => {
                        wraps(&value.ty) || matches!(value.ty, Type::Float(_))
                    }
                    BinaryOp::Divide
                    | BinaryOp::Remainder
                    | BinaryOp::ShiftLeft
                    | BinaryOp::ShiftRight => false,
                };
                defined && self.is_harmless(left) && self.is_harmless(right)
            }
            ExprKind::Compare(_, left, right) => {
                // Pointers may be in no order.
                !left.ty.is_pointer() && self.is_harmless(left) && self.is_harmless(right)
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.is_harmless(left) && self.is_harmless(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => [condition, then, otherwise]
                .into_iter()
                .all(|part| self.is_harmless(part)),
            ExprKind::Convert(operand) => {
                let fits = !matches!(operand.ty, Type::Float(_))
                    || matches!(value.ty, Type::Float(_) | Type::Bool | Type::Void);
                fits && self.is_harmless(operand)
            }
            ExprKind::Offset { .. } | ExprKind::Difference(..) => false,
        })
    }

    /// Whether the variable has a value for sure.
    fn is_written(&self, place: &Place) -> bool {
        match place.base {
            Base::Variable(id) => match self.program.variable(id).storage {
                Storage::Static { .. } => true,
                Storage::Automatic {
                    parameter,
                    temporary,
                    ..
                } => parameter || temporary,
            },
            Base::Deref(_) => false,
        }
    }
}

/// Whether it is a variable, or always the same member of one.
fn is_fixed(place: &Place) -> bool {
    matches!(place.base, Base::Variable(_))
        && place
            .path
            .iter()
            .all(|step| matches!(step, Step::Field(..)))
}
