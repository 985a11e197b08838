//! Pointers, members and elements (C11 6.5.2.1, 6.5.2.3, 6.5.3.2, 6.5.6).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{Base, Expr, ExprKind, Place, Step};
use crate::syntax::{self as c, Node};
use crate::types::{Length, Type};

use super::{Elaborator, Operand, fold, int, unsupported};

impl Elaborator {
    /// What a pointer points to.
    pub(super) fn target(&mut self, pointer: Expr, ty: Type, place: Span) -> Place {
        match pointer.kind {
            // C11 6.5.3.2: `*&x` is `x`.
            ExprKind::Address(mut object) if object.ty == ty => {
                object.span = place;
                object
            }
            // What a moved pointer to an element of an array points to is another element of it.
            ExprKind::Offset {
                pointer: ref start,
                ref index,
                back: false,
            } if is_first_element(start, &ty) => {
                let ExprKind::Address(object) = &start.kind else {
                    return deref(pointer, ty, place);
                };
                let mut object = object.clone();
                object.path.pop();
                object.path.push(Step::Index((**index).clone()));
                object.span = place;
                object
            }
            _ => deref(pointer, ty, place),
        }
    }

    /// `*operand`
    pub(super) fn indirection(&mut self, operand: &Node<c::Expression>, place: Span) -> Operand {
        let operand = self.operand(operand, true);
        if let Operand::Function(id, _) = operand {
            return Operand::Function(id, place);
        }
        let value = self.decay(operand);
        self.pointed_to(value, place)
    }

    fn pointed_to(&mut self, value: Expr, place: Span) -> Operand {
        match &value.ty {
            // The function decays to the pointer again.
            Type::Pointer(target) if matches!(**target, Type::Function(_)) => Operand::Value(value),
            Type::Pointer(target) => {
                let target = (**target).clone();
                Operand::Place(self.target(value, target, place))
            }
            _ => {
                self.mismatch(&value, "`*` needs a pointer".to_owned());
                Operand::Value(unsupported("what no pointer points to", Type::INT, place))
            }
        }
    }

    /// `left[right]`
    pub(super) fn index(
        &mut self,
        left: &Node<c::Expression>,
        right: &Node<c::Expression>,
        place: Span,
    ) -> Operand {
        let (left, right) = self.operands(left, right);
        let sum = self.calculate(crate::ir::BinaryOp::Add, left, right, place);
        if !sum.ty.is_pointer() {
            self.mismatch(
                &sum,
                "an index needs a pointer or an array before it".to_owned(),
            );
            return Operand::Value(unsupported("an element of no array", Type::INT, place));
        }
        self.pointed_to(sum, place)
    }

    /// `.` and `->`
    pub(super) fn member_access(&mut self, member: &c::MemberExpression, place: Span) -> Operand {
        let object = match member.operator.node {
            c::MemberOperator::Direct => match self.operand(&member.expression, true) {
                Operand::Place(object) => Operand::Place(object),
                // A structure without a name, as a call returns it, is read from where it is.
                Operand::Value(
                    ref value @ Expr {
                        kind: ExprKind::Read(ref object),
                        ..
                    },
                ) => Operand::Place(self.temporary_object(value.clone(), object.clone())),
                other => other,
            },
            c::MemberOperator::Indirect => {
                let value = self.value(&member.expression);
                self.pointed_to(value, member.expression.span)
            }
        };
        let name = &member.identifier.node.name;
        let object = match object {
            Operand::Place(object) => object,
            other => {
                let value = self.decay(other);
                self.mismatch(&value, format!("the member `{name}` of no structure"));
                return Operand::Value(unsupported("a member", Type::INT, place));
            }
        };
        let Type::Record(id) = object.ty else {
            let message = format!("the member `{name}` of no structure");
            let label = format!("this is a `{}`", self.show(&object.ty));
            self.error(Id::C_TYPES, message, member.expression.span, label);
            return Operand::Value(unsupported("a member", Type::INT, place));
        };
        if self.volatile_records.contains(&id) {
            self.meets_volatile();
        }
        match self.find_member(id, name) {
            Some((mut steps, ty)) => {
                let mut object = object;
                object.path.append(&mut steps);
                object.ty = ty;
                object.span = place;
                Operand::Place(object)
            }
            None => {
                let record = self.program.record(id);
                let message = if record.fields.is_some() {
                    format!("`{}` has no member `{name}`", record.name)
                } else {
                    format!("the members of `{}` are not known", record.name)
                };
                self.error(
                    Id::C_UNDECLARED,
                    message,
                    member.identifier.span,
                    "not declared",
                );
                Operand::Value(unsupported(
                    "a member that is not declared",
                    Type::INT,
                    place,
                ))
            }
        }
    }

    /// `&operand`
    pub(super) fn address_of(&mut self, operand: &Node<c::Expression>, place: Span) -> Expr {
        match self.operand(operand, true) {
            Operand::Place(mut object) => {
                if self.program.bit_field(&object).is_some() {
                    self.error(
                        Id::C_TYPES,
                        "a bit-field has no address",
                        place,
                        "this is a bit-field",
                    );
                    let ty = object.ty.pointer();
                    return unsupported("the address of a bit-field", ty, place);
                }
                object.span = place;
                self.address(object)
            }
            function @ Operand::Function(..) => self.decay(function),
            // `&*function`
            Operand::Value(value) if matches!(&value.ty, Type::Pointer(target) if matches!(**target, Type::Function(_))) => {
                value
            }
            Operand::Value(value) => {
                self.mismatch(&value, "`&` needs an object".to_owned());
                let ty = value.ty.pointer();
                unsupported("the address of a value", ty, place)
            }
        }
    }

    /// A pointer moved by an integer.
    pub(super) fn offset(&mut self, pointer: Expr, index: Expr, back: bool, place: Span) -> Expr {
        let index = self.promote(index);
        if let Type::Pointer(target) = &pointer.ty {
            let incomplete = match &**target {
                Type::Record(id) => self.program.record(*id).fields.is_none(),
                Type::Array(_, Length::Unknown) => true,
                _ => false,
            };
            if incomplete {
                self.mismatch(
                    &pointer,
                    "the size of what the pointer points to is not known".to_owned(),
                );
            }
        }
        if matches!(index.kind, ExprKind::Int(0)) {
            return Expr {
                span: place,
                ..pointer
            };
        }
        Expr {
            ty: pointer.ty.clone(),
            kind: ExprKind::Offset {
                pointer: Box::new(pointer),
                index: Box::new(index),
                back,
            },
            span: place,
        }
    }

    /// How many elements lie between two pointers.
    pub(super) fn difference(&mut self, left: Expr, right: Expr, place: Span) -> Expr {
        let ty = Type::Int(self.program.model.difference_type());
        let size = match &left.ty {
            Type::Pointer(target) => self.layout().size(target),
            _ => None,
        };
        if let (Some(bytes), Some(size)) = (fold::difference(&left, &right, self.layout()), size)
            && size > 0
            && bytes % i128::from(size) == 0
        {
            return int(bytes / i128::from(size), ty, place);
        }
        Expr {
            kind: ExprKind::Difference(Box::new(left), Box::new(right)),
            ty,
            span: place,
        }
    }

    /// C11 7.19.
    pub(super) fn offset_of(&mut self, offset: &c::OffsetOfExpression, place: Span) -> Expr {
        let ty = self.type_name(&offset.type_name.node);
        let size = Type::Int(self.program.model.size_type());
        let null = int(0, ty.clone().pointer(), place);
        let mut object = deref(null, ty, place);
        let designator = &offset.designator.node;
        let mut steps = vec![Ok(&designator.base)];
        steps.extend(designator.members.iter().map(|member| match &member.node {
            c::OffsetMember::Member(name) | c::OffsetMember::IndirectMember(name) => Ok(name),
            c::OffsetMember::Index(index) => Err(index),
        }));
        for step in steps {
            let found = match (step, &object.ty) {
                (Ok(name), Type::Record(id)) => self.find_member(*id, &name.node.name),
                (Err(index), Type::Array(element, _)) => {
                    let element = (**element).clone();
                    let index = self.value(index);
                    Some((vec![Step::Index(index)], element))
                }
                _ => None,
            };
            match found {
                Some((mut path, ty)) => {
                    object.path.append(&mut path);
                    object.ty = ty;
                }
                None => {
                    self.error(
                        Id::C_UNDECLARED,
                        "`offsetof` a member that is not declared",
                        place,
                        "there is no such member",
                    );
                    return unsupported("an offset", size, place);
                }
            }
        }
        let address = self.address(object);
        self.convert(address, &size)
    }
}

fn deref(pointer: Expr, ty: Type, place: Span) -> Place {
    Place {
        base: Base::Deref(Box::new(pointer)),
        path: Vec::new(),
        ty,
        span: place,
    }
}

/// Whether a pointer is the address of the first element of an array with such elements.
fn is_first_element(pointer: &Expr, ty: &Type) -> bool {
    match &pointer.kind {
        ExprKind::Address(object) => {
            object.ty == *ty
                && matches!(
                    object.path.last(),
                    Some(Step::Index(Expr {
                        kind: ExprKind::Int(0),
                        ..
                    }))
                )
        }
        _ => false,
    }
}
