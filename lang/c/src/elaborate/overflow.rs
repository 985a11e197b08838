//! gcc's arithmetic that tells whether it overflows (`__builtin_add_overflow` and its relatives): the result is computed
//! exactly, in a type that is wide enough.

use ult_lang::span::Span;

use crate::ir::{Base, BinaryOp, CompareOp, Expr, ExprKind, Place, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::{IntType, Type};

use super::{Elaborator, Operand, int};

/// Which one it is.
struct Operation {
    op: BinaryOp,
    /// The letter of the type that operands and result have, if the name tells it.
    ty: Option<char>,
    /// Whether the result is not stored.
    only_asks: bool,
}

impl Elaborator {
    /// A call, if it is one of them and its types are covered.
    pub(super) fn overflow_call(
        &mut self,
        name: &str,
        arguments: &[Node<c::Expression>],
        place: Span,
    ) -> Option<Operand> {
        let operation = operation(name)?;
        let [left, right, third] = arguments else {
            return None;
        };
        let mut values = Vec::new();
        for node in [left, right, third] {
            let value = self.value(node);
            values.push((value, self.out.len()));
        }
        let [mut left, mut right, third] = self.keep_all(values).try_into().ok()?;
        if let Some(letter) = operation.ty {
            let ty = self.signature_type(letter);
            left = self.assign_convert(left, &ty, "this argument");
            right = self.assign_convert(right, &ty, "this argument");
        }
        let result = match (&third.ty, operation.only_asks) {
            (Type::Pointer(to), false) => to.integer().filter(|_| **to != Type::Bool),
            (ty, true) => ty.integer().filter(|_| *ty != Type::Bool),
            _ => None,
        };
        let bit_field = |value: &Expr| matches!(&value.kind, ExprKind::Read(place) if self.program.bit_field(place).is_some());
        let narrow = |ty: IntType| ty.bits <= 64;
        let (Some(a), Some(b), Some(result), false) = (
            left.ty.integer().filter(|ty| narrow(*ty)),
            right.ty.integer().filter(|ty| narrow(*ty)),
            result.filter(|ty| narrow(*ty)),
            operation.only_asks && bit_field(&third),
        ) else {
            let words = format!("these types of `{name}`");
            return Some(Operand::Value(super::unsupported(words, Type::Bool, place)));
        };
        let mut saved = |value: Expr| match value.kind {
            ExprKind::Int(_) => value,
            _ => self.save(value),
        };
        let (left, right) = (saved(left), saved(right));
        // All sums, differences and products of 64-bit numbers are in one of these types.
        let wide = IntType {
            bits: 128,
            signed: operation.op != BinaryOp::Multiply || a.signed || b.signed,
        };
        let ty = Type::Int(wide);
        let exact = Expr {
            kind: ExprKind::Binary(
                operation.op,
                self.convert(left, &ty).into(),
                self.convert(right, &ty).into(),
            ),
            ty: ty.clone(),
            span: place,
        };
        let beyond = |op, limit| Expr {
            kind: ExprKind::Compare(
                op,
                exact.clone().into(),
                int(limit, ty.clone(), place).into(),
            ),
            ty: Type::INT,
            span: place,
        };
        let mut overflows = beyond(CompareOp::Greater, result.max());
        if wide.signed {
            let below = beyond(CompareOp::Less, result.min());
            overflows = Expr {
                kind: ExprKind::Or(below.into(), overflows.into()),
                ty: Type::INT,
                span: place,
            };
        }
        let overflows = self.convert(overflows, &Type::Bool);
        let overflows = self.save(overflows);
        if !operation.only_asks {
            let stored = self.convert(exact, &Type::Int(result));
            let object = Place {
                base: Base::Deref(third.into()),
                path: Vec::new(),
                ty: Type::Int(result),
                span: place,
            };
            self.emit(StmtKind::Assign(object, stored), place);
        }
        Some(Operand::Value(overflows))
    }
}

/// `__builtin_add_overflow`, `__builtin_smull_overflow`, `__builtin_sub_overflow_p` and so on.
fn operation(name: &str) -> Option<Operation> {
    let name = name.strip_prefix("__builtin_")?;
    let (name, only_asks) = match name.strip_suffix("_overflow_p") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    let operator = |name| match name {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Subtract),
        "mul" => Some(BinaryOp::Multiply),
        _ => None,
    };
    if let Some(op) = operator(name) {
        return Some(Operation {
            op,
            ty: None,
            only_asks,
        });
    }
    let (signed, rest) = (name.starts_with('s'), name.get(1..)?);
    let (op, size) = (operator(rest.get(..3)?)?, &rest[3..]);
    let ty = match (signed || !name.starts_with('u'), size) {
        (true, "") => 'i',
        (true, "l") => 'l',
        (true, "ll") => 'x',
        (false, "") => 'u',
        (false, "l") => 'm',
        (false, "ll") => 'q',
        _ => return None,
    };
    Some(Operation {
        op,
        ty: Some(ty),
        only_asks,
    })
    .filter(|_| !only_asks && (signed || name.starts_with('u')))
}
