//! Assignments (C11 6.5.16, 6.5.2.4, 6.5.3.1).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{Base, BinaryOp, Expr, ExprKind, Place, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::Type;

use super::{Elaborator, Operand, int, read, unsupported, void};

impl Elaborator {
    /// The object that is assigned to.
    fn target_object(&mut self, node: &Node<c::Expression>) -> Option<Place> {
        match self.operand(node, true) {
            Operand::Place(object) if !matches!(object.ty, Type::Array(..) | Type::Void) => {
                Some(self.as_declared(object))
            }
            Operand::Value(Expr {
                kind: ExprKind::Unsupported(_),
                ..
            }) => None,
            _ => {
                self.error(
                    Id::C_TYPES,
                    "an assignment needs an object",
                    node.span,
                    "this cannot be assigned to",
                );
                None
            }
        }
    }

    /// The object on the left of an assignment and the value on the right.
    fn object_and_value(
        &mut self,
        left: &Node<c::Expression>,
        right: &Node<c::Expression>,
        place: Span,
    ) -> Result<(Place, Expr), Operand> {
        let start = self.out.len();
        let object = self.target_object(left);
        let mark = self.out.len();
        let value = self.value(right);
        match object {
            Some(object) => {
                let count = self.out.len() - mark;
                let (object, value) = self.object_in_any_order(start, object, mark, value, place);
                self.assigned_twice((left, &object), right, (start, count), place);
                Ok((object, value))
            }
            None => Err(Operand::Value(unsupported(
                "an assignment to no object",
                value.ty,
                place,
            ))),
        }
    }

    /// `left = right`
    pub(super) fn assignment(
        &mut self,
        left: &Node<c::Expression>,
        right: &Node<c::Expression>,
        used: bool,
        place: Span,
    ) -> Operand {
        let (object, value) = match self.object_and_value(left, right, place) {
            Ok(both) => both,
            Err(operand) => return operand,
        };
        let value = self.assign_convert(value, &object.ty, "this assignment");
        self.store(object, value, used, place)
    }

    /// Writes a value; the result is what the object contains then.
    pub(super) fn store(&mut self, object: Place, value: Expr, used: bool, place: Span) -> Operand {
        if !used {
            self.emit_assign(object, value, place);
            return Operand::Value(void(place));
        }
        // Reading the object again gives its value, if it still is the same object.
        let same_object = self.is_stable_place(&object);
        if self.program.bit_field(&object).is_some() {
            // It is cut to the width.
            let object = if same_object {
                object
            } else {
                self.fix_place(object)
            };
            self.emit_assign(object.clone(), value, place);
            return Operand::Value(read(object));
        }
        if same_object && matches!(object.base, Base::Variable(_)) {
            if self.is_stable(&value) && value.ty.is_scalar() {
                self.emit(StmtKind::Assign(object, value.clone()), place);
                return Operand::Value(value);
            }
            self.emit_assign(object.clone(), value, place);
            return Operand::Value(read(object));
        }
        let value = if self.is_stable(&value) {
            value
        } else {
            self.save(value)
        };
        self.emit(StmtKind::Assign(object, value.clone()), place);
        Operand::Value(value)
    }

    /// The same object, with the pointers and indices that lead to it saved.
    pub(super) fn fix_place(&mut self, mut object: Place) -> Place {
        if let Base::Deref(pointer) = object.base {
            let pointer = if self.is_stable(&pointer) {
                *pointer
            } else {
                self.save(*pointer)
            };
            object.base = Base::Deref(Box::new(pointer));
        }
        object.path = object
            .path
            .into_iter()
            .map(|step| match step {
                crate::ir::Step::Index(index) if !self.is_stable(&index) => {
                    crate::ir::Step::Index(self.save(index))
                }
                other => other,
            })
            .collect();
        object
    }

    /// An assignment statement. The result of a call that was made for it goes to the object at once.
    pub(super) fn emit_assign(&mut self, object: Place, value: Expr, place: Span) {
        if let ExprKind::Read(source) = &value.kind
            && let Base::Variable(id) = source.base
            && source.path.is_empty()
            && self.is_temporary(id)
            && matches!(object.base, Base::Variable(_))
            && object.path.is_empty()
            && let Some(last) = self.out.last_mut()
            && let StmtKind::Call {
                result: Some(result),
                ..
            } = &mut last.kind
            && matches!(result.base, Base::Variable(target) if target == id)
        {
            *result = object;
            last.span = place;
            return;
        }
        self.emit(StmtKind::Assign(object, value), place);
    }

    /// `left op= right`
    pub(super) fn compound_assignment(
        &mut self,
        op: BinaryOp,
        left: &Node<c::Expression>,
        right: &Node<c::Expression>,
        used: bool,
        place: Span,
    ) -> Operand {
        let (object, value) = match self.object_and_value(left, right, place) {
            Ok(both) => both,
            Err(operand) => return operand,
        };
        // The old value is read after the effects of the right side: to functions that it calls, reading and writing
        // are one (C11 6.5.16.2).
        let old = read(object.clone());
        let value = self.calculate(op, old, value, place);
        let value = self.assign_convert(value, &object.ty, "this assignment");
        self.store(object, value, used, place)
    }

    /// `++` and `--`
    pub(super) fn step(
        &mut self,
        operand: &Node<c::Expression>,
        back: bool,
        post: bool,
        used: bool,
        place: Span,
    ) -> Operand {
        let Some(object) = self.target_object(operand) else {
            return Operand::Value(unsupported("a step of no object", Type::INT, place));
        };
        let object = if used && self.program.bit_field(&object).is_some() {
            self.fix_place(object)
        } else {
            object
        };
        let old = read(object.clone());
        let old = if post && used { self.save(old) } else { old };
        let one = int(1, Type::INT, place);
        let op = if back {
            BinaryOp::Subtract
        } else {
            BinaryOp::Add
        };
        let current = if post && used {
            old.clone()
        } else {
            read(object.clone())
        };
        let value = self.calculate(op, current, one, place);
        let value = self.assign_convert(value, &object.ty, "this step");
        if post {
            self.emit_assign(object, value, place);
            return Operand::Value(if used { old } else { void(place) });
        }
        self.store(object, value, used, place)
    }
}
