//! Parts of objects as C names them: what lies at an offset in bytes of a variable is `[2].y`. For people who read runs, in
//! which memory is a map by offsets.

use std::collections::BTreeMap;

use crate::alias::{Content, Memory, Object, Shape};
use crate::ir::Program;
use crate::types::{Layout, Length, Type};

use super::names::Names;

/// The parts of a variable that lie in one map, by offsets in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The variable's name in C.
    pub variable: String,
    parts: Parts,
    /// How many bytes each of them has.
    size: u64,
    /// Whether each is a byte of something larger.
    bytes: bool,
}

/// A number of which a byte was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// How it is written behind the variable's name.
    pub path: String,
    /// The offset of its first byte, which is the lowest one.
    pub start: u64,
    /// How many bytes it has.
    pub size: u64,
    /// Whether there are negative values.
    pub signed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Parts {
    /// Something of so many bytes; if it is a number, whether there are negative ones.
    Scalar(u64, Option<bool>),
    /// Elements of so many bytes.
    Array(u64, Box<Parts>),
    /// Members: name, offset, size and parts.
    Record(Vec<(String, u64, u64, Parts)>),
    /// What has several names.
    Unknown,
}

impl Elements {
    /// The part at an offset, as it is written behind the variable's name; `None` if no part of that kind begins there.
    pub fn part(&self, offset: u64) -> Option<String> {
        let (path, size, _, inside) = self.scalar(offset)?;
        (size == self.size && inside == 0).then_some(path)
    }

    /// The number that the byte at an offset belongs to, by the type that the variable was declared with; `None` if it belongs to
    /// none, or numbers are not stored as bytes.
    pub fn number(&self, offset: u64) -> Option<Number> {
        let (path, size, signed, inside) = self.scalar(offset).filter(|_| self.bytes)?;
        Some(Number {
            path,
            start: offset - inside,
            size,
            signed: signed?,
        })
    }

    /// The scalar around an offset: how it is written, its size, its sign, and how far inside of it that is.
    fn scalar(&self, offset: u64) -> Option<(String, u64, Option<bool>, u64)> {
        let (mut parts, mut offset, mut path) = (&self.parts, offset, String::new());
        loop {
            match parts {
                Parts::Scalar(size, signed) => {
                    return (offset < *size).then_some((path, *size, *signed, offset));
                }
                Parts::Array(size, element) => {
                    path += &format!("[{}]", offset.checked_div(*size)?);
                    offset %= size;
                    parts = element;
                }
                Parts::Record(members) => {
                    let (name, start, _, inner) = members
                        .iter()
                        .find(|(_, start, size, _)| (*start..start + size).contains(&offset))?;
                    if !name.is_empty() {
                        path += &format!(".{name}");
                    }
                    offset -= start;
                    parts = inner;
                }
                Parts::Unknown => return None,
            }
        }
    }
}

/// The maps that are about one variable each, by their names in Boogie.
pub(super) fn elements(
    program: &Program,
    memory: &Memory<'_>,
    names: &Names,
) -> BTreeMap<String, Elements> {
    let layout = Layout {
        model: program.model,
        records: &program.records,
    };
    let mut found = BTreeMap::new();
    for (region, id) in memory.regions().iter().zip(0..) {
        let objects: Vec<&Object> = memory.objects(region.target).iter().collect();
        let (size, bytes) = match region.content {
            Content::Scalar { bits, .. } => (bits / 8, false),
            Content::Bytes { pointers: false } => (1, true),
            Content::Bytes { pointers: true } => continue,
        };
        let ([Object::Single(variable)], Shape::ByOffset) = (&objects[..], region.shape) else {
            continue;
        };
        let variable = program.variable(*variable);
        let elements = Elements {
            variable: variable.name.clone(),
            parts: parts(program, layout, &variable.ty),
            size,
            bytes,
        };
        found.insert(names.region(crate::alias::RegionId(id)), elements);
    }
    found
}

fn parts(program: &Program, layout: Layout<'_>, ty: &Type) -> Parts {
    let Some(size) = layout.size(ty) else {
        return Parts::Unknown;
    };
    ult_lang::stack::ensure_stack(|| match ty {
        Type::Array(element, Length::Known(_)) => match layout.size(element) {
            Some(size) if size > 0 => Parts::Array(size, Box::new(parts(program, layout, element))),
            _ => Parts::Unknown,
        },
        Type::Record(id) => match program.record(*id) {
            record if record.union => Parts::Unknown,
            record => Parts::Record(
                record
                    .fields
                    .iter()
                    .flatten()
                    .filter(|field| field.bits.is_none())
                    .filter_map(|field| {
                        let size = layout.size(&field.ty)?;
                        let inner = parts(program, layout, &field.ty);
                        Some((field.name.clone(), field.offset, size, inner))
                    })
                    .collect(),
            ),
        },
        Type::Array(..) | Type::Function(_) | Type::Void => Parts::Unknown,
        Type::Int(ty) => Parts::Scalar(size, Some(ty.signed)),
        Type::Bool => Parts::Scalar(size, Some(false)),
        Type::Float(_) | Type::Pointer(_) => Parts::Scalar(size, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_parts() {
        let word = || Parts::Scalar(4, Some(true));
        let inner = Parts::Record(vec![
            ("t".into(), 0, 1, Parts::Scalar(1, Some(false))),
            ("w".into(), 4, 12, Parts::Array(4, Box::new(word()))),
        ]);
        let elements = Elements {
            variable: "o".into(),
            parts: Parts::Record(vec![
                ("z".into(), 0, 8, Parts::Scalar(8, None)),
                ("in".into(), 8, 32, Parts::Array(16, Box::new(inner))),
            ]),
            size: 4,
            bytes: false,
        };
        assert_eq!(elements.part(36).as_deref(), Some(".in[1].w[2]"));
        assert_eq!(elements.part(12).as_deref(), Some(".in[0].w[0]"));
        // Of another size, padding, the middle of a number, and behind the end.
        for offset in [0, 8, 9, 37, 40] {
            assert_eq!(elements.part(offset), None, "{offset}");
        }
        assert_eq!(elements.number(36), None);
        let bytes = Elements {
            size: 1,
            bytes: true,
            ..elements
        };
        let number = Number {
            path: ".in[1].w[2]".into(),
            start: 36,
            size: 4,
            signed: true,
        };
        assert_eq!(bytes.number(38), Some(number));
        // What is no number, padding, and behind the end.
        for offset in [3, 9, 40] {
            assert_eq!(bytes.number(offset), None, "{offset}");
        }
    }
}
