//! Structures and unions that are the same type in several translation units (C11 6.2.7): their tags and their members
//! agree. Nothing else is asked: what agrees is laid out in the same way, so that it does no harm to take it for one.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::types::{Bits, FunctionType, Record, RecordId, Type};

/// For each record the one that stands for all that are like it.
pub(super) fn representatives(records: &[Record]) -> Vec<RecordId> {
    let shallow = numbered(records.iter().map(Shallow::of));
    let stands_for = completions(records, &shallow);
    // Partition refinement: whoever points to different things is different.
    let mut classes = shallow;
    loop {
        let resolved: Vec<usize> = stands_for.iter().map(|&of| classes[of]).collect();
        let refined = numbered(records.iter().zip(&classes).map(|(record, &class)| {
            let of = |id: RecordId| Type::Record(RecordId(resolved[id.0 as usize] as u32));
            let members = record.fields.iter().flatten();
            let members: Vec<Type> = members.map(|field| renumbered(&field.ty, &of)).collect();
            (class, members)
        }));
        let is_stable = count(&refined) == count(&classes);
        classes = refined;
        if is_stable {
            break;
        }
    }
    let mut first: HashMap<usize, usize> = HashMap::new();
    let found = stands_for
        .iter()
        .map(|&of| *first.entry(classes[of]).or_insert(of));
    found.map(|index| RecordId(index as u32)).collect()
}

/// A type with other types for its records.
pub(super) fn renumbered(ty: &Type, of: &dyn Fn(RecordId) -> Type) -> Type {
    ult_lang::stack::ensure_stack(|| match ty {
        Type::Void | Type::Bool | Type::Int(_) | Type::Float(_) => ty.clone(),
        Type::Pointer(to) => Type::Pointer(Arc::new(renumbered(to, of))),
        Type::Array(element, length) => Type::Array(Arc::new(renumbered(element, of)), *length),
        Type::Record(record) => of(*record),
        Type::Function(function) => Type::Function(Arc::new(renumbered_function(function, of))),
    })
}

/// The type of a function with other types for its records.
pub(super) fn renumbered_function(
    ty: &FunctionType,
    of: &dyn Fn(RecordId) -> Type,
) -> FunctionType {
    FunctionType {
        result: renumbered(&ty.result, of),
        params: ty
            .params
            .iter()
            .map(|param| renumbered(param, of))
            .collect(),
        ..ty.clone()
    }
}

/// What can be said of a record without looking at the types of its members.
#[derive(PartialEq, Eq, Hash)]
struct Shallow<'a> {
    tag: &'a str,
    union: bool,
    size: u64,
    align: u64,
    members: Option<Vec<(&'a str, u64, Option<Bits>)>>,
}

impl<'a> Shallow<'a> {
    fn of(record: &'a Record) -> Shallow<'a> {
        let members = record.fields.as_ref().map(|fields| {
            let members = fields.iter();
            members
                .map(|field| (field.name.as_str(), field.offset, field.bits))
                .collect()
        });
        Shallow {
            tag: tag(record),
            union: record.union,
            size: record.size,
            align: record.align,
            members,
        }
    }
}

/// The tag; what has none got a name that was made up.
fn tag(record: &Record) -> &str {
    let number = record.name.strip_prefix("anonymous");
    match number.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
        true => "",
        false => &record.name,
    }
}

/// For each record, itself; for one without members, the one that has them, if all of that tag agree.
fn completions(records: &[Record], shallow: &[usize]) -> Vec<usize> {
    let mut complete: HashMap<(&str, bool), Vec<usize>> = HashMap::new();
    for (index, record) in records.iter().enumerate() {
        if record.fields.is_some() {
            let known = complete.entry((tag(record), record.union)).or_default();
            known.push(index);
        }
    }
    let stands_for = records.iter().enumerate().map(|(index, record)| {
        let found = complete.get(&(tag(record), record.union));
        match found.map(Vec::as_slice) {
            Some([first, rest @ ..])
                if record.fields.is_none()
                    && rest.iter().all(|other| shallow[*other] == shallow[*first]) =>
            {
                *first
            }
            _ => index,
        }
    });
    stands_for.collect()
}

/// The same number for what is equal.
fn numbered<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut known = HashMap::new();
    keys.map(|key| {
        let next = known.len();
        *known.entry(key).or_insert(next)
    })
    .collect()
}

fn count(classes: &[usize]) -> usize {
    classes.iter().max().map_or(0, |most| most + 1)
}
