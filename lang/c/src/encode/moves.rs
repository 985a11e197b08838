//! `memcpy`, `memmove` and `memset` of a constant number of bytes (C11 7.24.2, 7.24.6.1).
//!
//! What lies in these bytes is known: the analysis divides the objects of both pointers alike ([`Memory::parts`]). So each
//! scalar is copied as what it is, a pointer as a pointer, and all of them at once, since the objects may overlap.
//!
//! [`Memory::parts`]: crate::alias::Memory::parts

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use ult_lang::build::Term;

use super::body::{Body, Pointer};
use super::definite_initialization::beside;
use super::located::Located;
use super::number::{Number, wrapped_value};
use super::place::stored_type;
use super::statement::{SCALARS, is_long};
use crate::alias::{Content, Kind, Part, RegionId, Shape, Target};
use crate::ir::{Base, Expr, ExprKind, Step, VarId};
use crate::types::{IntType, Length, Type};

/// The parts after an array are others than those in it.
const BEYOND_ARRAY: &str = "bytes that begin within an array and end after it";

/// Bytes that a pointer leads to.
struct Bytes {
    target: Target,
    pointer: Pointer,
    /// Where that is in the node, in bytes, if it is one place.
    offset: Option<u64>,
}

impl Bytes {
    /// The first of them.
    fn located(&self) -> Located {
        let offset = self.offset.and_then(|offset| offset.checked_mul(8));
        Located::Memory {
            target: Target {
                offset: offset.unwrap_or(self.target.offset),
                ..self.target
            },
            pointer: self.pointer.clone(),
        }
    }
}

/// `memcpy(to, from, size)`, or `memmove`, for which the bytes may overlap.
pub(super) fn copy(body: &mut Body<'_, '_>, to: &Expr, from: &Expr, size: &Expr, overlaps: bool) {
    if body.enc.overapprox {
        body.evaluate_all(&[to, from, size]);
        return;
    }
    let Some(count) = constant(body, size) else {
        body.unsupported("a copy of memory whose size is not constant");
        return;
    };
    body.stay_in_named_array(to, count);
    body.stay_in_named_array(from, count);
    let (typed_to, typed_from) = (to.typed_pointer(), from.typed_pointer());
    let ends = (bytes_at(body, to), bytes_at(body, from));
    let (Some(mut there), Some(mut here)) = ends else {
        no_object(body, count);
        return;
    };
    body.check_access(&there.pointer, there.target, count);
    body.check_access(&here.pointer, here.target, count);
    begin(body, &mut there, count);
    begin(body, &mut here, count);
    if count > 0 {
        body.expect(there.target, &there.pointer);
        body.expect(here.target, &here.pointer);
    }
    if !overlaps {
        body.require_apart(&there.located(), &here.located(), Some(count));
    }
    let (to, from) = (parts(body, &there, count), parts(body, &here, count));
    if let (Some(to), Some(from)) = (to, from)
        && to.len() as u64 <= SCALARS
    {
        if to == from {
            copy_parts(body, &there, &here, &to);
            return;
        }
        let (to, from) = (by_distance(to), by_distance(from));
        if are_alike(body, &to, &from) {
            copy_alike(body, (&there, &to), (&here, &from));
            return;
        }
    }
    let whole = whole_objects(body, &there, &typed_to.1, count)
        .filter(|_| typed_to.1 == typed_from.1)
        .filter(|array| lies_at(body, &here, array));
    let Some(array) = whole else {
        body.unsupported("a copy of parts of objects");
        return;
    };
    stay_in_array(body, &there, &array, count);
    stay_in_array(body, &here, &array, count);
    // One after the other: so they must not overlap, unless they are the same.
    let apart = there.pointer.base.equals(&here.pointer.base).not();
    let same = there.pointer.offset.equals(&here.pointer.offset);
    body.unsupported_unless(&apart.or(&same), "a copy within one object");
    let (there, here) = (there.located(), here.located());
    if body.sees_padding(&there, &array) {
        body.unsupported("a copy of memory with padding that is seen");
    }
    body.copy(&there, &here, &array);
}

/// `memset(to, value, size)`.
pub(super) fn set(body: &mut Body<'_, '_>, to: &Expr, value: &Expr, size: &Expr) {
    if body.enc.overapprox {
        body.evaluate_all(&[to, value, size]);
        return;
    }
    let (Some(count), byte) = (constant(body, size), body.number(value)) else {
        body.unsupported("memset of a number of bytes that is not constant");
        return;
    };
    let byte = body.converted(&byte, IntType::BYTE);
    body.stay_in_named_array(to, count);
    let (_, ty) = to.typed_pointer();
    let Some(mut there) = bytes_at(body, to) else {
        no_object(body, count);
        return;
    };
    body.check_access(&there.pointer, there.target, count);
    begin(body, &mut there, count);
    if count > 0 {
        body.expect(there.target, &there.pointer);
    }
    let parts = parts(body, &there, count);
    if let Some(parts) = parts.filter(|parts| parts.len() as u64 <= SCALARS) {
        set_parts(body, &there, &parts, &byte);
        return;
    }
    let is_zero = byte.constant().is_some_and(|byte| *byte == BigInt::ZERO);
    if let Some(variable) = whole_variable(body, to, count).filter(|_| is_zero) {
        body.zero_variable(variable);
        return;
    }
    match whole_objects(body, &there, &ty, count) {
        Some(array) if is_zero => {
            stay_in_array(body, &there, &array, count);
            body.zero(&there.located(), &array, None);
        }
        _ => body.unsupported("memset of parts of objects"),
    }
}

/// The variable that a pointer leads to, if it is a long array in memory with exactly this number of bytes.
fn whole_variable(body: &mut Body<'_, '_>, pointer: &Expr, count: u64) -> Option<VarId> {
    let place = match &pointer.kind {
        ExprKind::Convert(inner) if inner.ty.is_pointer() => {
            return whole_variable(body, inner, count);
        }
        ExprKind::Address(place) => place,
        _ => return None,
    };
    let Base::Variable(id) = place.base else {
        return None;
    };
    let ty = body.enc.program.variable(id).ty.clone();
    let starts_there = place.path.iter().all(|step| match step {
        Step::Index(index) => constant(body, index) == Some(0),
        Step::Field(..) => false,
    });
    let is_whole = starts_there
        && is_long(&ty)
        && body.size(&ty) == Some(count)
        && body.enc.memory.is_in_memory(id);
    is_whole.then_some(id)
}

/// Where there is no object, no byte may be moved.
fn no_object(body: &mut Body<'_, '_>, count: u64) {
    if count > 0 {
        body.unsupported("a copy where there is no object");
    }
}

fn constant(body: &mut Body<'_, '_>, size: &Expr) -> Option<u64> {
    let size = body.number(size);
    size.constant()?.to_u64()
}

fn bytes_at(body: &mut Body<'_, '_>, pointer: &Expr) -> Option<Bytes> {
    let target = body.enc.memory.target(pointer)?;
    let exact = body.enc.memory.exact(pointer);
    let pointer = body.pointer(pointer);
    let pointer = body.held_pointer(pointer);
    let exact = exact.map(|exact| exact.offset).filter(|bits| bits % 8 == 0);
    Some(Bytes {
        target,
        offset: exact.map(|bits| bits / 8),
        pointer,
    })
}

/// So many bytes begin where the analysis takes for granted that they do, if it does not know that ([`Memory::start`]).
///
/// [`Memory::start`]: crate::alias::Memory::start
fn begin(body: &mut Body<'_, '_>, bytes: &mut Bytes, count: u64) {
    if bytes.offset.is_some() {
        return;
    }
    let memory = &body.enc.memory;
    bytes.offset = memory.start(bytes.target, count);
    if let Some(start) = bytes.offset {
        match memory.offset_in_objects(bytes.target, start) {
            Some(start) => {
                let begins = bytes.pointer.offset.equals(&body.offset(start));
                body.unsupported_unless(&begins, BEYOND_ARRAY);
            }
            None => body.unsupported(BEYOND_ARRAY),
        }
        return;
    }
    let known = known_offset(&bytes.pointer);
    bytes.offset = known.and_then(|known| memory.offset_in_node(bytes.target, known));
}

/// What lies in so many bytes.
fn parts(body: &Body<'_, '_>, at: &Bytes, count: u64) -> Option<Vec<Part>> {
    body.enc.memory.parts(at.target, at.offset, count)
}

/// The offset, if it is a small constant.
pub(super) fn known_offset(pointer: &Pointer) -> Option<u64> {
    let offset = &pointer.offset;
    let number = match offset.as_bit_vector() {
        Some(bits) => bits.to_u64(),
        None => offset.as_int().and_then(|number| number.to_u64()),
    };
    number.filter(|number| *number <= SCALARS)
}

/// So many bytes as whole objects of a type: as an array of them, if the analysis sees one there.
fn whole_objects(body: &Body<'_, '_>, at: &Bytes, ty: &Type, bytes: u64) -> Option<Type> {
    let one = body.size(ty).filter(|&one| one > 0 && *ty != Type::Void)?;
    let array = Type::Array(Arc::new(ty.clone()), Length::Known(bytes / one));
    (bytes.is_multiple_of(one) && lies_at(body, at, &array)).then_some(array)
}

/// Whether the elements of an array of this type are told from what else is in the objects.
fn lies_at(body: &Body<'_, '_>, at: &Bytes, array: &Type) -> bool {
    let Type::Array(element, Length::Known(length)) = array else {
        return false;
    };
    let size = body.size(element).unwrap_or(0);
    *length <= 1 || body.enc.memory.is_array(at.target, size, *length)
}

/// What is moved element by element is looked for in the array that it begins in: it must not reach behind that.
fn stay_in_array(body: &mut Body<'_, '_>, at: &Bytes, array: &Type, bytes: u64) {
    let memory = &body.enc.memory;
    let Some(end) = memory.end_of_array(at.target) else {
        return;
    };
    let is_one = matches!(array, Type::Array(_, Length::Known(..=1)));
    // One object whose place is known, or that is a part of an element, is found whatever is behind the array.
    if is_one && (at.offset.is_some() || memory.is_in_element(at.target, bytes)) {
        return;
    }
    match (end.checked_sub(bytes), at.offset) {
        (Some(last), Some(offset)) if offset <= last => {}
        (Some(last), None) => match memory.least_offset_in_objects(at.target, last) {
            Some(last) => {
                let fits = body.is_at_most(&at.pointer.offset, last);
                body.unsupported_unless(&fits, BEYOND_ARRAY);
            }
            None => body.unsupported(BEYOND_ARRAY),
        },
        _ => body.unsupported(BEYOND_ARRAY),
    }
}

/// The maps of a region: of its values, and of what says which of them were written.
fn maps(body: &Body<'_, '_>, region: RegionId) -> Vec<String> {
    let name = body.enc.region_name(region);
    let parts = body.enc.region_parts(region).into_iter();
    let mut maps: Vec<String> = parts.map(|(suffix, _)| format!("{name}{suffix}")).collect();
    if body.enc.options.properties.uninitialised {
        maps.push(beside(&name));
    }
    maps
}

/// The parts by region, with their distances.
fn by_region(parts: &[Part]) -> Vec<(RegionId, Vec<u64>)> {
    let mut regions: Vec<(RegionId, Vec<u64>)> = Vec::new();
    for part in parts {
        match regions.last_mut() {
            Some((region, distances)) if *region == part.region => distances.push(part.distance),
            _ => regions.push((part.region, vec![part.distance])),
        }
    }
    regions
}

/// The object, or the only value, that a map has for a pointer, and the index in it.
pub(super) fn object_of(
    body: &Body<'_, '_>,
    map: &str,
    shape: Shape,
    pointer: &Pointer,
) -> (Term, bool) {
    let part = body.part_of_object(map, shape, &pointer.base);
    (part, matches!(shape, Shape::Both | Shape::ByOffset))
}

fn copy_parts(body: &mut Body<'_, '_>, to: &Bytes, from: &Bytes, parts: &[Part]) {
    for (region, distances) in by_region(parts) {
        let shape = body.enc.memory.regions()[region.0 as usize].shape;
        for map in maps(body, region) {
            let (there, indexed) = object_of(body, &map, shape, &to.pointer);
            let (here, _) = object_of(body, &map, shape, &from.pointer);
            let mut value = there.clone();
            if indexed {
                for distance in &distances {
                    let left = body.moved(&to.pointer.offset, *distance);
                    let right = body.moved(&from.pointer.offset, *distance);
                    value = value.store(&[left], &here.select(&[right]));
                }
            } else {
                value = here;
            }
            body.out.assign(&there, &value);
        }
    }
}

/// The parts in the order in which they lie there.
fn by_distance(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_by_key(|part| part.distance);
    parts
}

/// Whether two places are divided in the same way.
fn are_alike(body: &Body<'_, '_>, to: &[Part], from: &[Part]) -> bool {
    let regions = body.enc.memory.regions();
    let content = |part: &Part| regions[part.region.0 as usize].content;
    let alike =
        |(to, from): (&Part, &Part)| to.distance == from.distance && content(to) == content(from);
    to.len() == from.len() && to.iter().zip(from).all(alike)
}

/// The same from regions to others: all is read before something is written, since they may be of one object.
fn copy_alike(body: &mut Body<'_, '_>, to: (&Bytes, &[Part]), from: (&Bytes, &[Part])) {
    let ((to, left), (from, right)) = (to, from);
    let shape =
        |body: &Body<'_, '_>, region: RegionId| body.enc.memory.regions()[region.0 as usize].shape;
    let mut writes: Vec<(Term, Option<Term>, Term)> = Vec::new();
    for (left, right) in left.iter().zip(right) {
        let shapes = (shape(body, left.region), shape(body, right.region));
        let maps = (maps(body, left.region), maps(body, right.region));
        for (target, source) in maps.0.iter().zip(&maps.1) {
            let (there, indexed) = object_of(body, target, shapes.0, &to.pointer);
            let (here, of_indexed) = object_of(body, source, shapes.1, &from.pointer);
            let value = match of_indexed {
                true => here.select(&[body.moved(&from.pointer.offset, right.distance)]),
                false => here,
            };
            let value = body.copied(value);
            let index = indexed.then(|| body.moved(&to.pointer.offset, left.distance));
            writes.push((there, index, value));
        }
    }
    for (there, index, value) in writes {
        let value = match index {
            Some(index) => there.store(&[index], &value),
            None => value,
        };
        body.out.assign(&there, &value);
    }
}

fn set_parts(body: &mut Body<'_, '_>, to: &Bytes, parts: &[Part], byte: &Number) {
    let byte = Number {
        term: body.named(byte.term.clone()),
        ..byte.clone()
    };
    for (region, distances) in by_region(parts) {
        let (shape, content) = {
            let region = &body.enc.memory.regions()[region.0 as usize];
            (region.shape, region.content)
        };
        let Some(values) = values(body, content, &byte) else {
            body.unsupported(
                "memset of pointers or floating-point numbers to something else than zero",
            );
            continue;
        };
        let tracked = body.enc.options.properties.uninitialised;
        let written = tracked.then(|| Term::truth(true));
        for (map, value) in maps(body, region)
            .iter()
            .zip(values.into_iter().chain(written))
        {
            let (there, indexed) = object_of(body, map, shape, &to.pointer);
            let mut new = there.clone();
            if indexed {
                for distance in &distances {
                    let place = body.moved(&to.pointer.offset, *distance);
                    new = new.store(&[place], &value);
                }
            } else {
                new = value;
            }
            body.out.assign(&there, &new);
        }
    }
}

/// What a region contains at a place all of whose bytes are the same.
fn values(body: &mut Body<'_, '_>, content: Content, byte: &Number) -> Option<Vec<Term>> {
    let zero = byte.constant().is_some_and(|byte| *byte == BigInt::ZERO);
    match content {
        Content::Bytes { pointers } => {
            let parts = super::bytes::parts(body.enc, pointers);
            // Bytes of a number: which pointer they would be of does not matter.
            let others = parts.iter().skip(1).map(|(_, sort)| body.enc.zero(sort));
            let others: Vec<Term> = others.collect();
            Some(std::iter::once(byte.term.clone()).chain(others).collect())
        }
        Content::Scalar {
            kind: Kind::Int,
            ty,
            bits,
        } => repeated(body, byte, ty, bits).map(|number| vec![number.term]),
        Content::Scalar { kind, ty, .. } if zero => {
            let scalar = match kind {
                Kind::Float(bits) => Type::Float(crate::types::FloatType::of_bits(bits)),
                _ => stored_type(kind, ty, &Type::Void.pointer()),
            };
            Some(body.zero_value(&scalar).into_terms())
        }
        Content::Scalar { .. } => None,
    }
}

/// The integer (of a bit-field, if it has fewer bits than its type) whose bytes are all the same.
fn repeated(body: &mut Body<'_, '_>, byte: &Number, ty: IntType, bits: u64) -> Option<Number> {
    let bits = u32::try_from(bits).ok()?;
    if let Some(byte) = byte.constant() {
        let mut value = BigInt::ZERO;
        for _ in 0..bits.div_ceil(8) {
            value = (value << 8u32) + byte;
        }
        let value = wrapped_value(&value, IntType { bits, ..ty });
        return Some(body.constant(&value, ty));
    }
    if bits != ty.bits || bits % 8 != 0 {
        return None;
    }
    let unsigned = IntType {
        signed: false,
        ..ty
    };
    let wide = body.converted(byte, unsigned);
    let mut factor = BigInt::ZERO;
    for _ in 0..bits / 8 {
        factor = (factor << 8u32) + 1;
    }
    let factor = body.constant(&factor, unsigned);
    let whole = body.binary(crate::ir::BinaryOp::Multiply, &wide, &factor);
    Some(body.converted(&whole, ty))
}
