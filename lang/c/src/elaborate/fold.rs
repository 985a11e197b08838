//! Constant expressions (C11 6.6). Nothing is folded whose value C does not define.

use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::ir::{Base, BinaryOp, CompareOp, Expr, ExprKind, Place, Step, UnaryOp};
use crate::types::{IntType, Layout, Type};

use super::int;
use super::rounding::round;

/// The integer, where the type can hold it here: of the unsigned type of 128 bits, an [`i128`] holds only one half.
fn wrapped(value: i128, ty: IntType) -> Option<i128> {
    let value = ty.wrap(value);
    ty.contains(value).then_some(value)
}

/// The constant converted to a type.
pub(super) fn convert(value: &Expr, to: &Type, layout: Layout<'_>) -> Option<Expr> {
    let span = value.span;
    let result = match (&value.kind, &value.ty, to) {
        (ExprKind::Int(0), _, Type::Pointer(_)) => int(0, to.clone(), span),
        (ExprKind::Int(number), _, Type::Bool) => int(i128::from(*number != 0), Type::Bool, span),
        (ExprKind::Int(number), _, Type::Int(ty)) => int(wrapped(*number, *ty)?, to.clone(), span),
        (ExprKind::Int(number), Type::Int(_) | Type::Bool, Type::Float(float)) => Expr {
            kind: ExprKind::Float(round(&BigRational::from_integer((*number).into()), *float)),
            ty: to.clone(),
            span,
        },
        (ExprKind::Float(Some(number)), _, Type::Float(float)) => Expr {
            kind: ExprKind::Float(round(number, *float)),
            ty: to.clone(),
            span,
        },
        (ExprKind::Float(number), _, Type::Bool) => {
            let zero = number.as_ref().is_some_and(num_traits::Zero::is_zero);
            int(i128::from(!zero), Type::Bool, span)
        }
        (ExprKind::Float(Some(number)), _, Type::Int(ty)) => {
            let whole = number.trunc().to_integer().to_i128()?;
            if !ty.contains(whole) {
                return None;
            }
            int(whole, to.clone(), span)
        }
        (_, Type::Pointer(_), Type::Int(ty)) => {
            int(wrapped(address(value, layout)?, *ty)?, to.clone(), span)
        }
        _ => return None,
    };
    Some(result)
}

/// The number of a constant address: what lies at a known distance from a null pointer or from an integer that was
/// converted to one, as in `&((struct s *)0)->member`.
fn address(pointer: &Expr, layout: Layout<'_>) -> Option<i128> {
    match &pointer.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Convert(inner) => match inner.ty {
            Type::Pointer(_) => address(inner, layout),
            Type::Int(_) => match inner.kind {
                ExprKind::Int(number) => Some(number),
                _ => None,
            },
            _ => None,
        },
        ExprKind::Address(place) => {
            let Base::Deref(base) = &place.base else {
                return None;
            };
            let Type::Pointer(target) = &base.ty else {
                return None;
            };
            Some(address(base, layout)? + path_offset(target, place, layout)?)
        }
        _ => None,
    }
}

/// How many bytes a part of an object lies behind its start.
fn path_offset(start: &Type, place: &Place, layout: Layout<'_>) -> Option<i128> {
    let mut ty = start.clone();
    let mut offset: i128 = 0;
    for step in &place.path {
        match (step, &ty) {
            (Step::Field(record, number), _) => {
                let record = layout.records.get(record.0 as usize)?;
                let field = record.fields.as_ref()?.get(*number)?;
                offset += i128::from(field.offset);
                ty = field.ty.clone();
            }
            (Step::Index(index), Type::Array(element, _)) => {
                let ExprKind::Int(index) = index.kind else {
                    return None;
                };
                offset = index
                    .checked_mul(i128::from(layout.size(element)?))?
                    .checked_add(offset)?;
                ty = (**element).clone();
            }
            (Step::Index(_), _) => return None,
        }
    }
    Some(offset)
}

/// The distance of two constant addresses in bytes.
pub(super) fn difference(left: &Expr, right: &Expr, layout: Layout<'_>) -> Option<i128> {
    address(left, layout)?.checked_sub(address(right, layout)?)
}

/// An operation on constants of the type.
pub(super) fn unary(op: UnaryOp, operand: &Expr) -> Option<ExprKind> {
    match (&operand.kind, &operand.ty) {
        (ExprKind::Int(number), Type::Int(ty)) => {
            let value = match op {
                UnaryOp::Negate => number.checked_neg()?,
                UnaryOp::Complement => !number,
            };
            defined(value, *ty).map(ExprKind::Int)
        }
        // There is no fraction for a negative zero.
        (ExprKind::Float(Some(number)), _)
            if op == UnaryOp::Negate && !num_traits::Zero::is_zero(number) =>
        {
            Some(ExprKind::Float(Some(-number)))
        }
        _ => None,
    }
}

/// The value of an operation: modulo 2^n for unsigned types, and nothing if it overflows a signed one.
fn defined(value: i128, ty: IntType) -> Option<i128> {
    if ty.signed {
        ty.contains(value).then_some(value)
    } else {
        wrapped(value, ty)
    }
}

/// An operation on integer constants of the type.
pub(super) fn binary(op: BinaryOp, left: &Expr, right: &Expr) -> Option<i128> {
    let (ExprKind::Int(a), ExprKind::Int(b), Type::Int(ty)) = (&left.kind, &right.kind, &left.ty)
    else {
        return None;
    };
    let (a, b) = (*a, *b);
    let value = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Subtract => a.checked_sub(b)?,
        // Unsigned products of 64 bits may exceed what an `i128` holds.
        BinaryOp::Multiply => match a.checked_mul(b) {
            Some(product) => product,
            None if ty.bits == 64 && !ty.signed => a.wrapping_mul(b),
            None => return None,
        },
        BinaryOp::Divide => {
            let quotient = a.checked_div(b)?;
            return ty.contains(quotient).then_some(quotient);
        }
        BinaryOp::Remainder => {
            // `INT_MIN % -1` is undefined, as the quotient is.
            let quotient = a.checked_div(b)?;
            return if ty.contains(quotient) {
                a.checked_rem(b)
            } else {
                None
            };
        }
        BinaryOp::ShiftLeft => {
            let distance = u32::try_from(b).ok().filter(|by| *by < ty.bits)?;
            // Of a negative number it is undefined (C11 6.5.7).
            if a < 0 {
                return None;
            }
            if ty.bits == 128 && distance >= a.leading_zeros() {
                return None;
            }
            a.checked_shl(distance)?
        }
        BinaryOp::ShiftRight => {
            let distance = u32::try_from(b).ok().filter(|by| *by < ty.bits)?;
            a >> distance
        }
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    };
    defined(value, *ty)
}

/// A comparison of constants.
pub(super) fn compare(op: CompareOp, left: &Expr, right: &Expr) -> Option<bool> {
    let order = match (&left.kind, &right.kind) {
        (ExprKind::Int(a), ExprKind::Int(b)) => a.cmp(b),
        (ExprKind::Float(Some(a)), ExprKind::Float(Some(b))) => a.cmp(b),
        _ => return None,
    };
    Some(match op {
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterEqual => order.is_ge(),
    })
}
