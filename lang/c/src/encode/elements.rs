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
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Parts {
    /// Something of so many bytes.
    Scalar(u64),
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
        let (mut parts, mut offset, mut path) = (&self.parts, offset, String::new());
        loop {
            match parts {
                Parts::Scalar(size) => return (*size == self.size && offset == 0).then_some(path),
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
        let ([Object::Single(variable)], Shape::ByOffset, Content::Scalar { bits, .. }) =
            (&objects[..], region.shape, region.content)
        else {
            continue;
        };
        let variable = program.variable(*variable);
        let elements = Elements {
            variable: variable.name.clone(),
            parts: parts(program, layout, &variable.ty),
            size: bits / 8,
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
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Pointer(_) => Parts::Scalar(size),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_parts() {
        let word = || Parts::Scalar(4);
        let inner = Parts::Record(vec![
            ("t".into(), 0, 1, Parts::Scalar(1)),
            ("w".into(), 4, 12, Parts::Array(4, Box::new(word()))),
        ]);
        let elements = Elements {
            variable: "o".into(),
            parts: Parts::Record(vec![
                ("z".into(), 0, 8, Parts::Scalar(8)),
                ("in".into(), 8, 32, Parts::Array(16, Box::new(inner))),
            ]),
            size: 4,
        };
        assert_eq!(elements.part(36).as_deref(), Some(".in[1].w[2]"));
        assert_eq!(elements.part(12).as_deref(), Some(".in[0].w[0]"));
        // Of another size, padding, the middle of a number, and behind the end.
        for offset in [0, 8, 9, 37, 40] {
            assert_eq!(elements.part(offset), None, "{offset}");
        }
    }
}
