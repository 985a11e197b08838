//! Where members lie: the rules of the System V ABI for x86 as gcc applies them.

use crate::types::{Bits, DataModel, Field, Layout, Length, Type};

/// A member that has no place yet.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) ty: Type,
    /// An alignment asked for by a typedef, which replaces the natural one.
    pub(super) type_align: Option<u64>,
    /// An alignment asked for by an attribute, which only increases it.
    pub(super) align: Option<u64>,
    pub(super) packed: bool,
    /// The width of a bit-field.
    pub(super) width: Option<u32>,
    /// Whether it is only padding: an unnamed bit-field.
    pub(super) unnamed: bool,
}

/// The members with their places, and the size and alignment of the record.
pub(super) struct Placed {
    pub(super) fields: Vec<Field>,
    pub(super) size: u64,
    pub(super) align: u64,
}

/// Places the members of a structure or union, none of them aligned to more than `pack` bytes; `None` if it is too large for its size to be a number.
pub(super) fn place(
    members: Vec<Member>,
    union: bool,
    packed: bool,
    align: Option<u64>,
    pack: Option<u64>,
    layout: Layout<'_>,
) -> Option<Placed> {
    let mut fields = Vec::new();
    // In bits, as is all that follows.
    let mut position: u64 = 0;
    let mut end: u64 = 0;
    let mut record_align: u64 = 8;
    for member in members {
        if union {
            position = 0;
        }
        let packed = packed || member.packed;
        let own = member
            .type_align
            .unwrap_or_else(|| layout.align(&member.ty, true))
            * 8;
        let most = pack.map_or(u64::MAX, |pack| pack * 8);
        let size = size(&member.ty, layout)?.checked_mul(8)?;
        // In bits: a bit-field begins anywhere.
        let asked = member.align.map_or(1, |align| align * 8);
        let (offset, bits) = match member.width {
            None => {
                let align = if packed { 8 } else { own }.max(asked).min(most);
                record_align = record_align.max(align);
                position = position.checked_next_multiple_of(align)?;
                let offset = position;
                position = position.checked_add(size)?;
                (offset, None)
            }
            // Neither `packed` nor `#pragma pack` has a say here.
            Some(0) => {
                position = position.checked_next_multiple_of(own.max(asked))?;
                end = end.max(position);
                continue;
            }
            Some(width) => {
                let dense = packed || pack.is_some();
                // One that fills an integer of the machine, which could lie here, counts as that.
                let machine = u64::from(width).is_power_of_two() && width >= 8;
                let machine = (machine && layout.model.word() * 2 >= width)
                    .then_some(u64::from(width))
                    .filter(|&bits| position.is_multiple_of(bits) && (bits == 8 || !packed));
                let natural = machine.map_or(1, |bits| match layout.model {
                    DataModel::Ilp32 if member.align.is_none() => bits.min(32),
                    _ => bits,
                });
                let asked = asked.max(natural).min(most);
                position = position.checked_next_multiple_of(asked)?;
                let straddles = exceeds_unit(position, u64::from(width), size, own);
                if !dense && machine.is_none() && straddles {
                    position = position.checked_next_multiple_of(own)?;
                }
                if !member.unnamed {
                    let align = match pack {
                        Some(_) => own.min(most),
                        None if packed => 8,
                        None => own,
                    };
                    record_align = record_align.max(align).max(asked);
                }
                // An aligned unit that holds the first bit, and unless bit-fields lie dense all others.
                let unit = if dense { size } else { own.min(size) };
                let offset = position / unit * unit;
                let bits = Bits {
                    first: (position - offset) as u32,
                    width,
                };
                position = position.checked_add(u64::from(width))?;
                (offset, Some(bits))
            }
        };
        end = end.max(position);
        if !member.unnamed || member.width.is_none() {
            fields.push(Field {
                name: member.name,
                ty: member.ty,
                offset: offset / 8,
                bits,
            });
        }
    }
    let record_align = record_align.max(align.unwrap_or(1) * 8);
    Some(Placed {
        fields,
        size: end.checked_next_multiple_of(record_align)? / 8,
        align: record_align / 8,
    })
}

/// Whether a bit-field at this position would reach into more units of its type than one of its size has.
fn exceeds_unit(position: u64, width: u64, size: u64, align: u64) -> bool {
    (position % align + width).div_ceil(align) > size / align
}

/// A flexible array member takes no room.
fn size(ty: &Type, layout: Layout<'_>) -> Option<u64> {
    match ty {
        Type::Array(_, Length::Unknown) => Some(0),
        _ => layout.size(ty),
    }
}

/// The alignment of a variable or type, for `_Alignof`.
pub(super) fn alignment(ty: &Type, layout: Layout<'_>) -> u64 {
    // gcc says 8 for `long long` and `double` outside of structures for 32 bits too.
    let in_record = !matches!(
        (layout.model, ty),
        (DataModel::Ilp32, Type::Int(_) | Type::Float(_))
    );
    layout.align(ty, in_record)
}
