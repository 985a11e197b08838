//! Values of initialisers, where they belong.

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::initialisers::{Sink, Target};
use super::literals::Text;
use super::{Elaborator, int, read};
use crate::ir::{Base, ConstantStep, Expr, ExprKind, Step, StmtKind, Storage};
use crate::types::{Length, Type};

/// More elements than this are not written out one by one.
const MOST_ELEMENTS: u64 = 1 << 16;

impl Elaborator {
    /// What was written into an object before does not count any more.
    pub(super) fn clear(&mut self, target: &Target, place: Span, sink: &mut Sink) {
        sink.whole.retain(|path| !path.starts_with(&target.path));
        match &mut sink.values {
            Some(values) => values.retain(|path, _| !path.starts_with(&target.path)),
            None => {
                if !target.path.is_empty() {
                    self.emit(StmtKind::Zero(target.object.clone()), place);
                }
            }
        }
    }

    /// Writes a scalar, or a whole structure.
    pub(super) fn write(&mut self, target: &Target, value: Expr, sink: &mut Sink) {
        let place = value.span;
        let value = self.assign_convert(value, &target.object.ty, "this initialiser");
        self.overrides_part(target, sink);
        sink.written = sink
            .written
            .saturating_add(self.scalars(&target.object.ty).unwrap_or(0));
        match &mut sink.values {
            Some(values) => {
                let zero = matches!(value.kind, ExprKind::Int(0));
                let constant = self.is_address_constant(&value);
                if sink.again {
                    if target.object.ty.is_scalar() {
                        values.swap_remove(&target.path);
                    } else {
                        values.retain(|path, _| !path.starts_with(&target.path));
                    }
                }
                if !constant {
                    if !matches!(value.kind, ExprKind::Unsupported(_)) {
                        self.not_constant(place);
                    }
                } else if !zero {
                    values.insert(target.path.clone(), value);
                }
            }
            None => self.emit_assign(target.object.clone(), value, place),
        }
    }

    /// A part of a structure that was written by one value gets another one: compilers disagree whether the other parts keep
    /// theirs (they do with clang, and are zero with gcc; C11 6.7.9p19 can be read both ways).
    fn overrides_part(&mut self, target: &Target, sink: &mut Sink) {
        if sink.values.is_some() {
            return;
        }
        let mut outer = (0..target.path.len()).map(|length| &target.path[..length]);
        if sink.again && outer.any(|path| sink.whole.contains(path)) {
            let words = "another value for a part of a structure that is initialised as a whole";
            let place = target.object.span;
            self.emit(StmtKind::Unsupported(words.to_owned()), place);
        }
        if matches!(target.object.ty, Type::Record(_)) {
            sink.whole.insert(target.path.clone());
        }
    }

    pub(super) fn not_constant(&mut self, place: Span) {
        self.error(
            Id::C_CONSTANT,
            "the initialiser of a static variable must be a constant",
            place,
            "its value is not known before the program runs",
        );
    }

    /// A string literal for an array.
    pub(super) fn text_to(&mut self, target: &Target, text: &Text, sink: &mut Sink) {
        let Type::Array(element, length) = &target.object.ty else {
            return;
        };
        let element = (**element).clone();
        let room = match length {
            Length::Known(length) => *length,
            _ => text.elements.len() as u64 + 1,
        };
        sink.reach(target, room);
        let place = target.object.span;
        if sink.again {
            self.clear(target, place, sink);
        }
        for index in 0..text
            .elements
            .len()
            .min(usize::try_from(room).unwrap_or(usize::MAX))
        {
            if let Some(part) = self.part(target, index as u64) {
                let value = int(text.value(index), Type::Int(text.element), place);
                let value = self.convert(value, &element);
                self.write(&part, value, sink);
            }
        }
        if text.elements.len() as u64 + 1 == room
            && sink.values.is_none()
            && let Some(part) = self.part(target, text.elements.len() as u64)
        {
            let zero = int(0, element, place);
            self.write(&part, zero, sink);
        }
    }

    /// Gives the elements behind the first one of a range the same values.
    pub(super) fn repeat(&mut self, target: &Target, from: u64, to: u64, sink: &mut Sink) {
        let place = target.object.span;
        if to - from > MOST_ELEMENTS {
            self.not_covered("ranges of so many elements", place);
            return;
        }
        let Some(first) = self.part(target, from) else {
            return;
        };
        if let Some(values) = &mut sink.values {
            let same: Vec<(Vec<ConstantStep>, Expr)> = values
                .iter()
                .filter(|(path, _)| path.starts_with(&first.path))
                .map(|(path, value)| (path.clone(), value.clone()))
                .collect();
            let depth = target.path.len();
            for index in from + 1..=to {
                let mut prefix = first.path.clone();
                prefix[depth] = ConstantStep::Index(index);
                values.retain(|path, _| !path.starts_with(&prefix));
                for (path, value) in &same {
                    let mut path = path.clone();
                    path[depth] = ConstantStep::Index(index);
                    values.insert(path, value.clone());
                }
            }
            return;
        }
        if matches!(first.object.ty, Type::Array(..)) {
            let words = "a range of arrays in an initialiser".to_owned();
            self.emit(StmtKind::Unsupported(words), place);
            return;
        }
        for index in from + 1..=to {
            if let Some(part) = self.part(target, index) {
                let value = read(first.object.clone());
                self.emit(StmtKind::Assign(part.object, value), place);
            }
        }
    }

    /// Whether a value is known before the program runs, but for the addresses of static objects (C11 6.6).
    pub(super) fn is_address_constant(&self, value: &Expr) -> bool {
        ensure_stack(|| match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => true,
            ExprKind::Read(_) | ExprKind::Unsupported(_) => false,
            ExprKind::Address(place) => {
                let base = match &place.base {
                    Base::Variable(id) => {
                        matches!(self.program.variable(*id).storage, Storage::Static { .. })
                    }
                    Base::Deref(pointer) => self.is_address_constant(pointer),
                };
                base && place.path.iter().all(|step| match step {
                    Step::Field(..) => true,
                    Step::Index(index) => self.is_address_constant(index),
                })
            }
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
                self.is_address_constant(operand)
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Difference(left, right) => {
                self.is_address_constant(left) && self.is_address_constant(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => [condition, then, otherwise]
                .into_iter()
                .all(|part| self.is_address_constant(part)),
            ExprKind::Offset { pointer, index, .. } => {
                self.is_address_constant(pointer) && self.is_address_constant(index)
            }
        })
    }
}
