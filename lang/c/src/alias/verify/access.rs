//! What is read or written is a cell, with a region that keeps it.

use super::Checker;
use crate::alias::{Content, Kind, Object, Target};
use crate::ir::Place;
use crate::types::{Length, Type};

impl Checker<'_, '_> {
    /// All scalars of a place are read or written.
    pub(super) fn access(&mut self, place: &Place, at: &[Target]) {
        let bits = self.program.bit_field(place);
        for target in at {
            self.scalars(*target, &place.ty, bits.map(|bits| u64::from(bits.width)));
        }
    }

    /// All scalars of an object of type `ty` (of a bit-field, so many bits) are read or written.
    pub(super) fn scalars(&mut self, target: Target, ty: &Type, width: Option<u64>) {
        match ty {
            Type::Void => {}
            Type::Record(id) => {
                let fields = self.program.record(*id).fields.as_deref();
                for (number, field) in fields.unwrap_or_default().iter().enumerate() {
                    let Some((distance, ty)) = self.member(*id, number) else {
                        continue;
                    };
                    let offset = target.offset.saturating_add(distance);
                    let width = field.bits.map(|bits| u64::from(bits.width));
                    self.scalars(Target { offset, ..target }, &ty, width);
                }
            }
            // A flexible array is no part of the value (C11 6.7.2.1p18).
            Type::Array(_, Length::Known(0) | Length::Unknown) => {}
            Type::Array(element, length) => {
                self.elements(target, element, *length);
                self.scalars(target, element, None);
            }
            scalar => self.scalar(target, scalar, width),
        }
    }

    fn scalar(&mut self, target: Target, ty: &Type, width: Option<u64>) {
        let (kind, bits) = match ty {
            Type::Float(float) => {
                let (significand, exponent) = float.format();
                let bits = significand + exponent;
                (Kind::Float(bits), u64::from(bits))
            }
            Type::Pointer(_) | Type::Function(_) => {
                (Kind::Pointer, u64::from(self.program.model.word()))
            }
            other => {
                let whole = other.integer().map_or(8, |int| u64::from(int.bits));
                (Kind::Int, width.unwrap_or(whole))
            }
        };
        if bits == 0 {
            return;
        }
        let cell = self.cell(target);
        if cell.is_none_or(|cell| !cell.accesses.contains_key(&(bits, kind))) {
            self.miss("an access");
            return;
        }
        let region = self.memory.region(target);
        let regions = self.memory.regions();
        let fits = match region.and_then(|id| regions.get(id.0 as usize)) {
            None => self.is_plain(target),
            Some(region) => match region.content {
                Content::Bytes { .. } => true,
                Content::Scalar {
                    bits: width,
                    kind: known,
                    ..
                } => width == bits && known == kind,
            },
        };
        if !fits {
            self.miss("the region of an access");
        }
    }

    /// Whether a target is in a variable that is not in memory, and so in no region.
    fn is_plain(&self, target: Target) -> bool {
        let objects = self.memory.nodes.objects(target.node);
        let plain = |object: &Object| match object {
            Object::Single(id) | Object::Many(id) => !self.memory.is_in_memory(*id),
            Object::Heap | Object::Zeroed | Object::External => false,
        };
        !objects.is_empty() && objects.iter().all(plain)
    }

    /// Whether a target is kept as bytes that may be those of pointers.
    pub(super) fn has_pointer_bytes(&self, target: Target) -> bool {
        let regions = self.memory.regions();
        let region = self.memory.region(target);
        let region = region.and_then(|id| regions.get(id.0 as usize));
        region.is_some_and(|region| matches!(region.content, Content::Bytes { pointers: true }))
    }
}
