//! Whole objects that are copied or become zero.

use std::collections::BTreeSet;

use super::body::{Body, Pointer, Value, parts};
use super::located::Located;
use super::number::Number;
use super::statement::SCALARS;
use crate::alias::{Content, RegionId};
use crate::functions::plain;
use crate::ir::{Expr, ExprKind, Function, Origin, Place};
use crate::types::{Bits, Length, Type};
use crate::undefined::Undefined;
use ult_lang::build::Term;

/// From how many elements on an array is filled at once.
const FEW: u64 = 16;

impl Body<'_, '_> {
    /// An integer that is assigned as it was read, where both may be bytes of a pointer: these are copied. Tells whether it
    /// was that.
    pub fn assign_bytes(&mut self, place: &Place, value: &Expr) -> bool {
        let bit_field = |place| self.enc.program.bit_field(place).is_some();
        let Some(from) = value.copied().filter(|from| !bit_field(from)) else {
            return false;
        };
        if bit_field(place) || !self.has_pointer_bytes(place) || !self.has_pointer_bytes(from) {
            return false;
        }
        if let (Some(here), Some(there)) = (self.access(from), self.access(place)) {
            self.check_written(&here, &from.ty, None);
            self.note_written(&there, &place.ty);
            if !self.copy_as_bytes(&there, &here, &place.ty) {
                self.unsupported("this copy of bytes of a pointer");
            }
        }
        true
    }

    /// Whether a place may contain bytes of a pointer.
    fn has_pointer_bytes(&mut self, place: &Place) -> bool {
        let in_memory = match &place.base {
            crate::ir::Base::Variable(id) => self.enc.memory.is_in_memory(*id),
            crate::ir::Base::Deref(_) => true,
        };
        let target = self.enc.memory.place(place).filter(|_| in_memory);
        let region = target.and_then(|target| self.enc.memory.region(target));
        region.is_some_and(|id| {
            let content = self.enc.memory.regions()[id.0 as usize].content;
            matches!(content, Content::Bytes { pointers: true })
        })
    }

    /// `place = value`, of structures or unions.
    pub fn assign_record(&mut self, place: &Place, value: &Expr) {
        match &value.kind {
            ExprKind::Read(from) => {
                if let (Some(from), Some(to)) = (self.access(from), self.access(place)) {
                    let (from, to) = (self.held(from), self.held(to));
                    let size = self.size(&place.ty);
                    self.require_apart(&to, &from, size);
                    self.copy(&to, &from, &place.ty);
                    self.forget_padding(&to, &place.ty);
                }
            }
            ExprKind::Conditional(condition, yes, no) => {
                let truth = self.truth(condition);
                self.out.begin_if(&truth);
                self.assign_record(place, yes);
                self.out.begin_else();
                self.assign_record(place, no);
                self.out.end();
            }
            _ => self.unsupported("this value of a structure"),
        }
    }

    /// Bytes are copied between places that are not to overlap, unless they are the same. Where each part of what is
    /// copied has a region of its own, they cannot: that would have made one region of two.
    pub fn require_apart(&mut self, to: &Located, from: &Located, size: Option<u64>) {
        let (
            Located::Memory {
                target,
                pointer: to,
            },
            Located::Memory {
                target: other,
                pointer: from,
            },
        ) = (to, from)
        else {
            return;
        };
        let memory = &self.enc.memory;
        if !memory.same_objects(*target, *other) {
            return;
        }
        let parts = size.and_then(|size| memory.parts(*target, None, size));
        let apart = parts.is_some_and(|parts| {
            let regions: BTreeSet<RegionId> = parts.iter().map(|part| part.region).collect();
            regions.len() == parts.len()
        });
        if apart {
            return;
        }
        if !self.enc.options.properties.overlap {
            self.trust(Undefined::Overlap);
            return;
        }
        match size {
            Some(size) => {
                let size = self.offset(size);
                self.require_disjoint(to, from, &size);
            }
            None => self.unsupported("a copy of an object of variable size, which may overlap"),
        }
    }

    /// So many bytes at two places do not overlap, unless they are the same (C11 6.5.16.1p3, 7.24.2.1p2).
    fn require_disjoint(&mut self, to: &Pointer, from: &Pointer, size: &Term) {
        let elsewhere = to.base.equals(&from.base).not();
        let same = to.offset.equals(&from.offset);
        let after = self.is_after(&to.offset, &from.offset, size);
        let before = self.is_after(&from.offset, &to.offset, size);
        let condition = elsewhere.or(&same).or(&after).or(&before);
        self.require(Undefined::Overlap, condition);
    }

    /// Whether an offset is so many bytes or more after another one.
    fn is_after(&mut self, offset: &Term, start: &Term, size: &Term) -> Term {
        if !self.bits() {
            return start.add(size).at_most(offset);
        }
        // Objects have less than half of all addresses: where it lies before, the distance is large.
        let bits = self.enc.program.model.word();
        let distance = self.bit_binary("bvsub", bits, offset, start);
        let order = self.bit_relation("bvule", bits, start, offset);
        order.and(&self.bit_relation("bvule", bits, size, &distance))
    }

    /// A function of the library whose first two parameters are `restrict`: what it copies does not overlap.
    pub fn require_parameters_apart(&mut self, function: &Function) {
        const COPYING: [&str; 12] = [
            "memcpy", "mempcpy", "stpcpy", "strcat", "strcpy", "strncat", "strncpy", "wcscat",
            "wcscpy", "wcsncat", "wcsncpy", "wmemcpy",
        ];
        let [to, from, ref others @ ..] = function.params[..] else {
            return;
        };
        let name = plain(&function.name);
        if function.origin != Origin::Library || !COPYING.contains(&name) {
            return;
        }
        let memory = &mut self.enc.memory;
        let mut pointee = |param| {
            let target = memory.object(param);
            memory.pointee(target)
        };
        let (there, here) = (pointee(to), pointee(from));
        if !memory.same_objects(there, here) {
            return;
        }
        if !self.enc.options.properties.overlap {
            self.trust(Undefined::Overlap);
            return;
        }
        let (to, from) = (self.content(to), self.content(from));
        let (to, from) = (self.pointer(&to), self.pointer(&from));
        match (name, others) {
            ("memcpy" | "mempcpy", &[size]) => {
                let size = self.content(size);
                let size = self.number(&size);
                let size = self.word(&size);
                self.require_disjoint(&to, &from, &size);
            }
            // How far a string reaches is not known yet, and wide characters are counted, not their bytes.
            _ => {
                let elsewhere = to.base.equals(&from.base).not();
                self.unsupported_unless(&elsewhere, "a copy of a string within one object");
            }
        }
    }

    /// The same place, whatever is written meanwhile.
    pub fn held(&mut self, at: Located) -> Located {
        match at {
            Located::Plain { name, indices } => {
                let indices = indices
                    .into_iter()
                    .map(|index| self.copied(index))
                    .collect();
                Located::Plain { name, indices }
            }
            Located::Memory { target, pointer } => {
                let pointer = self.held_pointer(pointer);
                Located::Memory { target, pointer }
            }
            Located::Passed { bytes, pointer } => {
                let pointer = self.held_pointer(pointer);
                Located::Passed { bytes, pointer }
            }
        }
    }

    /// The same pointer, whatever is written meanwhile.
    pub fn held_pointer(&mut self, pointer: Pointer) -> Pointer {
        Pointer {
            base: self.copied(pointer.base),
            offset: self.copied(pointer.offset),
        }
    }

    /// Copies an object.
    pub fn copy(&mut self, to: &Located, from: &Located, ty: &Type) {
        if self.is_forgotten(to) {
            return;
        }
        match ty {
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let bits = field.bits;
                    let (to, from) = (to.field(self, *id, number), from.field(self, *id, number));
                    match bits {
                        Some(_) => {
                            let written = self.written_before(&from, &field.ty);
                            let value = self.read(&from, &field.ty, bits);
                            self.write(&to, &field.ty, bits, value);
                            self.copy_written(&to, &field.ty, &written);
                        }
                        None => self.copy(&to, &from, &field.ty),
                    }
                }
            }
            Type::Array(element, Length::Known(length)) => {
                if let (
                    Located::Plain { name: to, indices },
                    Located::Plain {
                        name: from,
                        indices: others,
                    },
                ) = (to, from)
                    && indices.is_empty()
                    && others.is_empty()
                {
                    self.copy_plain(to, from, element);
                    return;
                }
                let size = self.size(element);
                let (Some(size), true) = (size, *length <= SCALARS) else {
                    self.unsupported("a copy of a large array");
                    return;
                };
                for number in 0..*length {
                    let index = self.index(number);
                    let to = to.element(self, &index, size);
                    let from = from.element(self, &index, size);
                    self.copy(&to, &from, element);
                }
            }
            // A flexible array is not copied (C11 6.7.2.1).
            Type::Array(_, Length::Unknown) | Type::Void => {}
            Type::Array(_, Length::Variable(_)) => {
                self.unsupported("a copy of an array of variable length");
            }
            scalar => {
                let written = self.written_before(from, scalar);
                if !self.copy_as_bytes(to, from, scalar) {
                    let value = self.read(from, scalar, None);
                    self.write(to, scalar, None, value);
                }
                self.copy_written(to, scalar, &written);
            }
        }
    }

    /// A constant index.
    pub fn index(&self, number: u64) -> Number {
        let ty = self.word_type();
        self.constant(&number.into(), ty)
    }

    /// Copies a scalar as bytes if both are kept as such: members of a union lie in the same bytes, and none of them may
    /// change what the others are. Whether that was possible.
    fn copy_as_bytes(&mut self, to: &Located, from: &Located, scalar: &Type) -> bool {
        match (self.bytes_of(to), self.bytes_of(from), self.size(scalar)) {
            (Some((to_bytes, there)), Some((from_bytes, here)), Some(size)) => {
                for located in [to, from] {
                    if let Located::Memory { target, pointer } = located {
                        self.expect(*target, pointer);
                    }
                }
                let (to, from) = (to_bytes, from_bytes);
                self.copy_bytes((&to, &there), (&from, &here), size)
            }
            _ => false,
        }
    }

    /// Copies plain arrays.
    fn copy_plain(&mut self, to: &str, from: &str, ty: &Type) {
        match ty {
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let member = super::located::member_name(&field.name, number);
                    let (to, from) = (format!("{to}.{member}"), format!("{from}.{member}"));
                    self.copy_plain(&to, &from, &field.ty);
                }
            }
            Type::Array(element, _) => self.copy_plain(to, from, element),
            scalar => {
                self.copy_plain_written(to, from);
                for (suffix, _) in parts(self.enc, scalar) {
                    let to = self.var(&format!("{to}{suffix}"));
                    let from = self.var(&format!("{from}{suffix}"));
                    self.out.assign(&to, &from);
                }
            }
        }
    }

    /// All bytes of an object become zero.
    pub fn zero(&mut self, at: &Located, ty: &Type, bits: Option<Bits>) {
        if self.is_forgotten(at) {
            return;
        }
        match ty {
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let at = at.field(self, *id, number);
                    let bits = field.bits;
                    self.zero(&at, &field.ty, bits);
                }
            }
            Type::Array(element, length) => {
                if let Located::Plain { name, indices } = at
                    && indices.is_empty()
                    && !matches!(length, Length::Known(length) if *length <= FEW)
                {
                    self.zero_plain(name, element);
                    return;
                }
                let size = self.size(element);
                let (Some(size), Length::Known(length)) = (size, length) else {
                    self.unsupported("an array of variable length that is set to zero");
                    return;
                };
                if *length > SCALARS {
                    self.unsupported("a large array in memory that is set to zero");
                    return;
                }
                for number in 0..*length {
                    let index = self.index(number);
                    let at = at.element(self, &index, size);
                    self.zero(&at, element, None);
                }
            }
            Type::Void => {}
            scalar => {
                let value = self.zero_value(scalar);
                self.write(at, scalar, bits, value);
            }
        }
    }

    /// The value whose bytes are zero.
    pub fn zero_value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Pointer(_) | Type::Function(_) => Value::Pointer(Pointer {
                base: Term::int(0),
                offset: self.offset(0),
            }),
            Type::Float(float) => {
                let zero = num_rational::BigRational::from_integer(0.into());
                let term = super::float::literal(*float, Some(&zero));
                Value::Float(*float, term.unwrap_or_else(|| Term::int(0)))
            }
            other => {
                let ty = other.integer().unwrap_or(crate::types::IntType::INT);
                Value::Number(self.constant(&0.into(), ty))
            }
        }
    }

    /// All elements of a plain array become zero.
    fn zero_plain(&mut self, name: &str, ty: &Type) {
        match ty {
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let member = super::located::member_name(&field.name, number);
                    self.zero_plain(&format!("{name}.{member}"), &field.ty);
                }
            }
            Type::Array(element, _) => self.zero_plain(name, element),
            scalar => {
                let values = self.zero_value(scalar).into_terms();
                self.note_all_written(name);
                for ((suffix, _), value) in parts(self.enc, scalar).into_iter().zip(values) {
                    let map = self.var(&format!("{name}{suffix}"));
                    let zeroes = self.enc.constant_map(map.ty(), &value);
                    self.out.assign(&map, &zeroes);
                }
            }
        }
    }
}
