//! Conversions (C11 6.3).

use ult_lang::diagnostic::Id;

use crate::ir::{Base, Expr, ExprKind, Place, Step, StmtKind};
use crate::types::{FloatType, IntType, Length, Type};

use super::{Elaborator, Operand, fold, int, read};

impl Elaborator {
    /// The value of an operand: objects are read, arrays become pointers to their first elements, functions pointers.
    pub(super) fn decay(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Value(value) => value,
            Operand::Function(id, span) => {
                let ty = Type::Function(self.program.function(id).ty.clone().into()).pointer();
                Expr {
                    kind: ExprKind::Function(id),
                    ty,
                    span,
                }
            }
            Operand::Place(Place {
                base: Base::Variable(id),
                ref path,
                span,
                ..
            }) if self.constants_are_values
                && path.is_empty()
                && self.constants.contains_key(&id) =>
            {
                let value = self.constants[&id].clone();
                Expr { span, ..value }
            }
            Operand::Place(place) => match &place.ty {
                Type::Array(element, _) => {
                    let element = (**element).clone();
                    self.address(first_element(place, element))
                }
                _ => {
                    let place = self.as_declared(place);
                    self.elements_in_padding(&place);
                    read(place)
                }
            },
        }
    }

    /// A structure whose flexible array member begins before its end is read as a value: what becomes of these elements where
    /// it is copied to is not said (C11 6.7.2.1, example 2).
    fn elements_in_padding(&mut self, place: &Place) {
        let Type::Record(id) = place.ty else { return };
        let size = self.program.record(id).size;
        let (mut id, mut start) = (id, 0u64);
        // The last member of the last member, and so on.
        let inside = loop {
            let record = self.program.record(id);
            let Some(last) = record.fields.as_ref().and_then(|fields| fields.last()) else {
                return;
            };
            start = start.saturating_add(last.offset);
            match last.ty {
                Type::Record(inner) => id = inner,
                Type::Array(_, Length::Unknown | Length::Known(0)) => break start < size,
                _ => return,
            }
        };
        if inside {
            let words =
                "the value of a structure whose flexible array member begins in its padding";
            self.emit(StmtKind::Unsupported(words.to_owned()), place.span);
        }
    }

    /// The pointer to an object.
    pub(super) fn address(&mut self, place: Place) -> Expr {
        let ty = place.ty.clone().pointer();
        let span = place.span;
        match place {
            // C11 6.5.3.2: `&*p` is `p`.
            Place {
                base: Base::Deref(pointer),
                path,
                ..
            } if path.is_empty() => Expr {
                ty,
                span,
                ..*pointer
            },
            place => Expr {
                kind: ExprKind::Address(place),
                ty,
                span,
            },
        }
    }

    /// The integer promotions (C11 6.3.1.1).
    pub(super) fn promote(&mut self, value: Expr) -> Expr {
        let promoted = match (&value.ty, &value.kind) {
            (Type::Int(ty), ExprKind::Read(place)) => match self.program.bit_field(place) {
                // Wider ones keep the declared type.
                Some(bits) if bits.width < 32 || (bits.width == 32 && ty.signed) => IntType::INT,
                Some(bits) if bits.width == 32 => IntType::UNSIGNED,
                _ => ty.promoted(),
            },
            (Type::Int(ty), _) => ty.promoted(),
            (Type::Bool, _) => IntType::INT,
            _ => return value,
        };
        self.convert(value, &Type::Int(promoted))
    }

    /// Whether the value is one of a bit-field that is wider than `int`, but narrower than its declared type: gcc
    /// computes with as many bits as it has.
    pub(super) fn is_wide_bit_field(&self, value: &Expr) -> bool {
        match (&value.kind, &value.ty) {
            (ExprKind::Read(place), Type::Int(ty)) => self
                .program
                .bit_field(place)
                .is_some_and(|bits| bits.width > 32 && bits.width < ty.bits),
            _ => false,
        }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8); both operands are arithmetic.
    pub(super) fn balance(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let float = |ty: &Type| match ty {
            Type::Float(float) => Some(*float),
            _ => None,
        };
        if let Some(common) = float(&left.ty).max(float(&right.ty)) {
            let common = Type::Float(common);
            return (self.convert(left, &common), self.convert(right, &common));
        }
        let left = self.promote(left);
        let right = self.promote(right);
        match (left.ty.integer(), right.ty.integer()) {
            (Some(a), Some(b)) => {
                let common = Type::Int(a.common(b));
                (self.convert(left, &common), self.convert(right, &common))
            }
            _ => (left, right),
        }
    }

    /// The default argument promotions (C11 6.5.2.2).
    pub(super) fn promote_argument(&mut self, value: Expr) -> Expr {
        match value.ty {
            Type::Float(FloatType::Single) => self.convert(value, &Type::Float(FloatType::Double)),
            _ => self.promote(value),
        }
    }

    /// The value converted to a type, which must be scalar, `void` or the same.
    pub(super) fn convert(&mut self, value: Expr, to: &Type) -> Expr {
        if value.ty == *to {
            return value;
        }
        if let Some(folded) = fold::convert(&value, to, self.layout()) {
            return folded;
        }
        let span = value.span;
        // A pointer is a pointer: from one to another one, a single conversion is enough.
        let value = match value {
            Expr {
                kind: ExprKind::Convert(inner),
                ty: Type::Pointer(_),
                ..
            } if matches!((&inner.ty, to), (Type::Pointer(_), Type::Pointer(_))) => {
                if inner.ty == *to {
                    return *inner;
                }
                *inner
            }
            value => value,
        };
        Expr {
            kind: ExprKind::Convert(Box::new(value)),
            ty: to.clone(),
            span,
        }
    }

    /// The value converted as if by assignment (C11 6.5.16.1). If the types do not fit, says so.
    pub(super) fn assign_convert(&mut self, value: Expr, to: &Type, what: &str) -> Expr {
        let fits = match (&value.ty, to) {
            (from, to) if from == to => !matches!(to, Type::Void),
            (Type::Record(_), _) | (_, Type::Record(_)) => false,
            (from, to) if from.is_arithmetic() && to.is_arithmetic() => true,
            (Type::Pointer(_), Type::Pointer(_) | Type::Bool) => true,
            (Type::Pointer(_), Type::Int(_)) | (Type::Int(_) | Type::Bool, Type::Pointer(_)) => {
                let null = matches!(value.kind, ExprKind::Int(0)) && to.is_pointer();
                if !null && !matches!(value.kind, ExprKind::Unsupported(_)) {
                    self.warning(
                        Id::C_POINTER_AND_INTEGER,
                        format!(
                            "{what} makes a pointer of an integer, or the reverse, without a cast"
                        ),
                        value.span,
                        format!("`{}` becomes `{}`", self.show(&value.ty), self.show(to)),
                    );
                }
                true
            }
            _ => false,
        };
        if fits {
            return self.convert(value, to);
        }
        self.mismatch(&value, format!("{what} needs a `{}`", self.show(to)));
        super::unsupported("an expression of the wrong type", to.clone(), value.span)
    }

    /// Says that a value has the wrong type, unless that only follows from an earlier message.
    pub(super) fn mismatch(&mut self, value: &Expr, message: String) {
        if !matches!(value.kind, ExprKind::Unsupported(_)) {
            let label = format!("this is a `{}`", self.show(&value.ty));
            self.error(Id::C_TYPES, message, value.span, label);
        }
    }

    /// Whether a scalar differs from zero, as an `int`.
    pub(super) fn truth(&mut self, value: Expr) -> Expr {
        let span = value.span;
        if let ExprKind::Int(constant) = value.kind {
            return int(i128::from(constant != 0), Type::INT, span);
        }
        if is_truth(&value) {
            return value;
        }
        let not = Expr {
            kind: ExprKind::Not(Box::new(value)),
            ty: Type::INT,
            span,
        };
        Expr {
            kind: ExprKind::Not(Box::new(not)),
            ty: Type::INT,
            span,
        }
    }

    /// A type in words, for messages.
    pub(super) fn show(&self, ty: &Type) -> String {
        crate::print::type_name(&self.program, ty)
    }

    /// Whether the type is a variable-length array or contains one.
    pub(super) fn is_variable(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(_, Length::Variable(_)) => true,
            Type::Array(element, _) => self.is_variable(element),
            _ => false,
        }
    }
}

/// The first element of an array.
pub(super) fn first_element(mut place: Place, element: Type) -> Place {
    place.path.push(Step::Index(int(0, Type::INT, place.span)));
    place.ty = element;
    place
}

/// Whether the value is an `int` that is zero or one.
fn is_truth(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..)
    ) && value.ty == Type::INT
}
