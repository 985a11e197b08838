//! Padding of structures.
//!
//! What is copied of a structure are its members. The bytes between them take unspecified values where the structure is assigned,
//! passed or returned (C11 6.2.6.1p6): gcc copies them, other compilers do not, or only sometimes. So they are forgotten here, if
//! anybody can see them: through `char *`, `memcmp`, or the other members of a union.

use ult_lang::build::Term;

use super::Encoder;
use super::body::Body;
use super::located::Located;
use super::moves::{known_offset, object_of};
use crate::alias::{Content, Kind, Part, Target};
use crate::types::{IntType, Length, Type};

/// Larger objects, in bytes, are not looked through.
const LARGEST: u64 = 1 << 16;

/// What is seen of the padding of an object.
enum Seen {
    /// These parts, each wholly of padding.
    Parts(Vec<Part>),
    /// More than can be told.
    Unknown,
}

impl Body<'_, '_> {
    /// A value was stored in a structure or union: its padding has any values.
    pub fn forget_padding(&mut self, at: &Located, ty: &Type) {
        let Located::Memory { target, pointer } = at else {
            return;
        };
        let parts = match seen(self, *target, known_offset(pointer), ty) {
            Seen::Parts(parts) => parts,
            Seen::Unknown => {
                self.unsupported("a copy of a structure whose padding is seen");
                return;
            }
        };
        for part in parts {
            let region = &self.enc.memory.regions()[part.region.0 as usize];
            let (shape, content) = (region.shape, region.content);
            let mut values = match content {
                Content::Bytes { .. } => vec![self.anything(IntType::BYTE)],
                Content::Scalar { ty, .. } => vec![self.anything(ty)],
            };
            let name = self.enc.region_name(part.region);
            let maps = self.enc.region_parts(part.region);
            // Bytes of a number, of no pointer.
            let others = maps.iter().skip(1).map(|(_, sort)| self.enc.zero(sort));
            values.extend(others.collect::<Vec<Term>>());
            for ((suffix, _), value) in maps.iter().zip(values) {
                let map = format!("{name}{suffix}");
                let (there, indexed) = object_of(self, &map, shape, pointer);
                let new = if indexed {
                    let place = self.moved(&pointer.offset, part.distance);
                    there.store(&[place], &value)
                } else {
                    value
                };
                self.out.assign(&there, &new);
            }
        }
    }

    /// Whether somebody sees padding of an object that lies here.
    pub(super) fn sees_padding(&mut self, at: &Located, ty: &Type) -> bool {
        let Located::Memory { target, pointer } = at else {
            return false;
        };
        let offset = known_offset(pointer);
        let offset = offset.and_then(|bytes| self.enc.memory.offset_in_node(*target, bytes));
        let seen = seen(self, *target, offset, ty);
        !matches!(seen, Seen::Parts(parts) if parts.is_empty())
    }
}

fn seen(body: &Body<'_, '_>, target: Target, offset: Option<u64>, ty: &Type) -> Seen {
    let nothing = Seen::Parts(Vec::new());
    let Some(size) = body.size(ty).filter(|_| may_have_padding(body.enc, ty)) else {
        return nothing;
    };
    let memory = &body.enc.memory;
    let any_bytes = || {
        let mut regions = memory.regions().iter();
        regions.any(|region| matches!(region.content, Content::Bytes { .. }))
    };
    if size > LARGEST {
        return if any_bytes() { Seen::Unknown } else { nothing };
    }
    let mut covered = vec![false; size as usize * 8];
    cover(body.enc, ty, 0, &mut covered);
    if !covered.contains(&false) {
        return nothing;
    }
    let Some(parts) = memory.parts(target, offset, size) else {
        // Nobody reads bytes, and no scalar begins in the padding.
        let begins = |bit: u64| {
            let offset = target.offset.saturating_add(bit);
            memory.region(Target { offset, ..target }).is_some()
        };
        let mut gaps = (0u64..).zip(&covered).filter(|(_, covered)| !**covered);
        return if any_bytes() || gaps.any(|(bit, _)| begins(bit)) {
            Seen::Unknown
        } else {
            nothing
        };
    };
    let mut seen = Vec::new();
    for part in parts {
        let (bits, kind) = match memory.regions()[part.region.0 as usize].content {
            Content::Bytes { .. } => (8, Kind::Int),
            Content::Scalar { bits, kind, .. } => (bits, kind),
        };
        let first = part.distance.saturating_mul(8);
        let range = first as usize..first.saturating_add(bits.max(8)) as usize;
        let lies = covered.get(range).unwrap_or_default();
        match (lies.contains(&true), lies.contains(&false)) {
            (_, false) => {}
            (false, true) if kind == Kind::Int && bits % 8 == 0 => seen.push(part),
            // A bit-field, which is the structure's own unless one of another structure lies in its padding.
            _ if bits % 8 != 0 && own_bit_field(body, target, &covered, part) => {}
            _ => return Seen::Unknown,
        }
    }
    Seen::Parts(seen)
}

/// Whether no bit of padding in the byte where a part begins is the first one of its region.
fn own_bit_field(body: &Body<'_, '_>, target: Target, covered: &[bool], part: Part) -> bool {
    (0..8).all(|bit| {
        let bit = part.distance * 8 + bit;
        let offset = target.offset.saturating_add(bit);
        let own = covered.get(bit as usize).copied().unwrap_or(true);
        own || body.enc.memory.region(Target { offset, ..target }) != Some(part.region)
    })
}

/// Whether a type is a structure, a union or an array of these.
fn may_have_padding(enc: &Encoder<'_>, ty: &Type) -> bool {
    match ty {
        Type::Record(id) => !enc.fields(*id).is_empty(),
        Type::Array(element, _) => may_have_padding(enc, element),
        _ => false,
    }
}

/// Marks the bits of an object that belong to its value.
fn cover(enc: &Encoder<'_>, ty: &Type, start: u64, covered: &mut [bool]) {
    match ty {
        Type::Record(id) => {
            for field in enc.fields(*id) {
                let first = start + field.offset * 8;
                match field.bits {
                    Some(bits) => {
                        mark(covered, first + u64::from(bits.first), bits.width.into());
                    }
                    None => cover(enc, &field.ty, first, covered),
                }
            }
        }
        Type::Array(element, Length::Known(length)) => {
            let size = enc.layout().size(element).unwrap_or(0);
            if !may_have_padding(enc, element) {
                mark(covered, start, size * length * 8);
                return;
            }
            for number in 0..*length {
                cover(enc, element, start + number * size * 8, covered);
            }
        }
        Type::Array(..) | Type::Void => {}
        scalar => mark(covered, start, enc.layout().size(scalar).unwrap_or(0) * 8),
    }
}

fn mark(covered: &mut [bool], first: u64, bits: u64) {
    if let Some(bits) = covered.get_mut(first as usize..(first + bits) as usize) {
        bits.fill(true);
    }
}
