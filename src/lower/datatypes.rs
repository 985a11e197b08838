//! Datatypes: constructors, fields, and the questions which constructor made a value.
//!
//! A field that not all constructors have is, for a value without it, arbitrary but fixed, as a
//! quotient by zero is; terms have fields only where they exist.

use std::sync::Arc;

use ult_lang::hir::DatatypeId;

use super::symbols::Symbols;
use ult_core::formula::{DatatypeSort, Sort, Term};

/// Where a field is: numbers of constructors, with positions in them.
type Positions<'s> = &'s [(usize, usize)];

/// The errors say in words what has no meaning.
type Lowered = Result<Term, String>;

/// `Constructor(args)`
pub fn construct(symbols: &Symbols<'_>, sort: &Sort, constructor: usize, args: &[Term]) -> Lowered {
    let terms = symbols.terms;
    let datatype = declared(sort)?;
    let number = number(constructor)?;
    let fields = datatype.constructors.get(constructor).map(|c| &c.fields);
    let fits = fields.is_some_and(|fields| {
        let sorts = fields.iter().map(|(_, sort)| sort);
        sorts.eq(args.iter().map(|&arg| terms.sort(arg)))
    });
    match fits {
        true => Ok(terms.construct(sort, number, args)),
        false => Err("this use of a constructor".into()),
    }
}

/// `value is Constructor`
pub fn is(symbols: &Symbols<'_>, value: Term, constructor: usize) -> Lowered {
    declared(symbols.terms.sort(value))?;
    Ok(symbols.terms.is(value, number(constructor)?))
}

/// `value->field`
pub fn field(symbols: &Symbols<'_>, id: DatatypeId, field: usize, value: Term) -> Lowered {
    let terms = symbols.terms;
    let sort = terms.sort(value);
    let datatype = declared(sort)?;
    let (name, positions) = positions(symbols, id, field)?;
    let mut cases = Vec::new();
    for &(constructor, position) in positions {
        let (constructor, position) = (number(constructor)?, number(position)?);
        datatype
            .field(constructor, position)
            .ok_or("this field of a datatype")?;
        cases.push((
            terms.is(value, constructor),
            terms.field(value, constructor, position),
        ));
    }
    let Some(&(_, last)) = cases.last() else {
        return Err("this field of a datatype".into());
    };
    let mut result = last;
    if cases.len() < datatype.constructors.len() {
        let function = symbols.absent(sort, field, name, terms.sort(last));
        result = terms.apply(&function, &[value]);
    } else {
        cases.pop();
    }
    for (condition, case) in cases.into_iter().rev() {
        result = terms.ite(condition, case, result);
    }
    Ok(result)
}

/// `value->(field := new)`; for fields that all constructors have.
pub fn update(
    symbols: &Symbols<'_>,
    id: DatatypeId,
    field: usize,
    value: Term,
    new: Term,
) -> Lowered {
    let terms = symbols.terms;
    let sort = terms.sort(value);
    let datatype = declared(sort)?;
    let (_, positions) = positions(symbols, id, field)?;
    if positions.len() != datatype.constructors.len() {
        return Err("an update of a field that some values do not have".into());
    }
    let mut result = None;
    for &(constructor, changed) in positions.iter().rev() {
        let number = number(constructor)?;
        let fields = datatype.constructors.get(constructor).map(|c| &c.fields);
        let fields = fields.ok_or("this field of a datatype")?;
        if fields.get(changed).map(|(_, sort)| sort) != Some(terms.sort(new)) {
            return Err("this use of a field".into());
        }
        let args: Vec<Term> = (0..)
            .zip(fields)
            .map(|(i, _)| match i as usize == changed {
                true => new,
                false => terms.field(value, number, i),
            })
            .collect();
        let made = terms.construct(sort, number, &args);
        result = Some(match result {
            None => made,
            Some(other) => terms.ite(terms.is(value, number), made, other),
        });
    }
    result.ok_or_else(|| "this field of a datatype".into())
}

/// The name of a field, and where it is: constructors with positions in them.
fn positions<'s>(
    symbols: &'s Symbols<'_>,
    id: DatatypeId,
    field: usize,
) -> Result<(&'s str, Positions<'s>), String> {
    let datatype = symbols.background.datatypes.get(id.index());
    let field = datatype.and_then(|datatype| datatype.fields.get(field));
    let field = field.ok_or("an unknown field")?;
    Ok((&field.name, &field.positions))
}

fn declared(sort: &Sort) -> Result<Arc<DatatypeSort>, String> {
    match sort {
        Sort::Datatype(datatype) => Ok(datatype.clone()),
        _ => Err("a value of no datatype".into()),
    }
}

fn number(index: usize) -> Result<u32, String> {
    u32::try_from(index).map_err(|_| "a large datatype".into())
}
