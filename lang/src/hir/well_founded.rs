//! Which datatypes have values.
//!
//! A value is made by finitely many uses of constructors. A datatype whose constructors all need a value of it has none,
//! and what is said of all its values is true. A map needs a value at each index, so it has one where its elements have.

use super::{Datatype, MapType, Type, TypeVarId};
use crate::stack::ensure_stack;

/// So many type parameters of a datatype are looked at; with more, it counts as one without values.
const MAX_PARAMETERS: usize = 8;

/// The numbers of the datatypes that have no values, in order, if every type that is no datatype has some.
///
/// The least fixpoint over datatypes and the sets of their parameters that have no values: what fields of other instances
/// need is looked up there.
pub fn without_values(datatypes: &[Datatype]) -> Vec<usize> {
    let mut inhabited: Vec<Vec<bool>> = datatypes
        .iter()
        .map(|datatype| match datatype.type_params.len() {
            count if count <= MAX_PARAMETERS => vec![false; 1 << count],
            _ => Vec::new(),
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (number, datatype) in datatypes.iter().enumerate() {
            for empty in 0..inhabited[number].len() {
                if inhabited[number][empty] {
                    continue;
                }
                let is_made = datatype.constructors.iter().any(|constructor| {
                    let fields = constructor.fields.iter();
                    let mut fields = fields.filter_map(|&field| datatype.fields.get(field));
                    fields.all(|field| has_values(&field.ty, datatype, empty, &inhabited))
                });
                if is_made {
                    inhabited[number][empty] = true;
                    changed = true;
                }
            }
        }
    }
    let is_empty = |number: &usize| !inhabited[*number].first().is_some_and(|made| *made);
    (0..datatypes.len()).filter(is_empty).collect()
}

/// Whether a type has values, inside of a datatype whose parameters in the set have none, as far as is known.
fn has_values(ty: &Type, datatype: &Datatype, empty: usize, inhabited: &[Vec<bool>]) -> bool {
    let has_values = |ty: &Type| ensure_stack(|| has_values(ty, datatype, empty, inhabited));
    match ty {
        Type::Var(id) => parameter(datatype, *id).is_none_or(|bit| empty & (1 << bit) == 0),
        Type::Datatype(id, args) => {
            let mut set = 0;
            for (bit, arg) in args.iter().enumerate().take(MAX_PARAMETERS) {
                if !has_values(arg) {
                    set |= 1 << bit;
                }
            }
            let known = inhabited.get(id.index()).and_then(|sets| sets.get(set));
            known.is_some_and(|made| *made)
        }
        Type::Map(map) => {
            let MapType { range, .. } = &**map;
            has_values(range)
        }
        _ => true,
    }
}

fn parameter(datatype: &Datatype, id: TypeVarId) -> Option<usize> {
    let mut params = datatype.type_params.iter();
    params.position(|parameter| parameter.id == id)
}

#[cfg(test)]
mod tests {
    fn empty(text: &str) -> Vec<String> {
        let (program, _) = crate::analyze_boogie(text);
        let datatypes = &program.background.datatypes;
        let numbers = super::without_values(datatypes).into_iter();
        numbers
            .map(|number| datatypes[number].name.clone())
            .collect()
    }

    #[test]
    fn a_value_needs_an_end() {
        assert_eq!(empty("datatype S { S(head: int, tail: S) }"), ["S"]);
        assert_eq!(empty("datatype S { S(rest: [int]S) }"), ["S"]);
        assert!(empty("datatype S { S(head: int, tail: S), E() }").is_empty());
        assert_eq!(
            empty("datatype A { A(b: B) } datatype B { B(a: A) } datatype C { C(a: A), D() }"),
            ["A", "B"]
        );
    }

    #[test]
    fn instances_count() {
        let types = "datatype Box<T> { Box(inside: T) } datatype List<T> { Nil(), Cons(head: T, tail: List T) }";
        assert_eq!(
            empty(&format!("{types} datatype A {{ A(b: Box A) }}")),
            ["A"]
        );
        assert!(empty(&format!("{types} datatype A {{ A(b: List A) }}")).is_empty());
        assert_eq!(
            empty(&format!("{types} datatype A {{ A(b: Box (Box A)) }}")),
            ["A"]
        );
    }
}
