//! Where a place of the program lies in the translation.

use super::body::{Body, Pointer};
use super::bytes::Bytes;
use super::number::Number;
use crate::alias::Target;
use ult_lang::build::Term;

/// Where an object is.
#[derive(Clone, Debug)]
pub enum Located {
    /// A part of a plain variable: the Boogie variable of the scalar (or the start of the names of
    /// those of a structure), and the indices into it.
    Plain {
        /// The name.
        name: String,
        /// The indices.
        indices: Vec<Term>,
    },
    /// In memory.
    Memory {
        /// Which cell.
        target: Target,
        /// Where.
        pointer: Pointer,
    },
    /// In a union with pointers and numbers that is passed by value: as bytes of no object.
    Passed {
        /// The bytes.
        bytes: Bytes,
        /// Where in them.
        pointer: Pointer,
    },
}

impl Located {
    /// A member; the first byte that it has bits in, if it is a bit-field.
    pub fn field(
        &self,
        body: &Body<'_, '_>,
        record: crate::types::RecordId,
        number: usize,
    ) -> Located {
        let Some(field) = body.enc.fields(record).get(number) else {
            return self.clone();
        };
        match self {
            Located::Plain { name, indices } if indices.is_empty() && body.enc.is_mixed(record) => {
                Located::Passed {
                    bytes: Bytes::passed(name),
                    pointer: Pointer {
                        base: Term::int(0),
                        offset: body.offset(field.first_byte()),
                    },
                }
            }
            Located::Plain { name, indices } => Located::Plain {
                name: format!("{name}.{}", member_name(&field.name, number)),
                indices: indices.clone(),
            },
            Located::Passed { bytes, pointer } => Located::Passed {
                bytes: bytes.clone(),
                pointer: Pointer {
                    base: pointer.base.clone(),
                    offset: body.moved(&pointer.offset, field.first_byte()),
                },
            },
            Located::Memory { target, pointer } => {
                let bits = field.bits.map_or(0, |bits| u64::from(bits.first));
                Located::Memory {
                    target: Target {
                        offset: target.offset.saturating_add(field.offset * 8 + bits),
                        ..*target
                    },
                    pointer: Pointer {
                        base: pointer.base.clone(),
                        offset: body.moved(&pointer.offset, field.first_byte()),
                    },
                }
            }
        }
    }

    /// The element of an array whose elements have `size` bytes.
    pub fn element(&self, body: &mut Body<'_, '_>, index: &Number, size: u64) -> Located {
        let size = body.offset(size);
        self.sized_element(body, index, &size)
    }

    /// As [`Located::element`], with a size that need not be constant.
    pub(super) fn sized_element(
        &self,
        body: &mut Body<'_, '_>,
        index: &Number,
        size: &Term,
    ) -> Located {
        match self {
            Located::Plain { name, indices } => {
                let mut indices = indices.clone();
                indices.push(body.word(index));
                Located::Plain {
                    name: name.clone(),
                    indices,
                }
            }
            Located::Memory { target, pointer } => Located::Memory {
                target: *target,
                pointer: body.offset_pointer(pointer, index, size, false),
            },
            Located::Passed { bytes, pointer } => Located::Passed {
                bytes: bytes.clone(),
                pointer: body.offset_pointer(pointer, index, size, false),
            },
        }
    }
}

/// The name of a member in Boogie names.
pub(super) fn member_name(name: &str, number: usize) -> String {
    match name {
        "" => format!("{number}"),
        name => name.to_owned(),
    }
}
