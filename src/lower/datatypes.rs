//! Datatypes: constructors, fields, and the questions which constructor made a value.
//!
//! A field that not all constructors have is, for a value without it, arbitrary but fixed, as a
//! quotient by zero is; terms have fields only where they exist.

use std::sync::Arc;

use ult_lang::hir::DatatypeId;

use super::bounded_datatypes::Level;
use super::recursive::Recursive;
use super::symbols::Symbols;
use ult_core::formula::{DatatypeSort, Sort, Term, Terms};

/// Where a field is: numbers of constructors, with positions in them.
type Positions<'s> = &'s [(usize, usize)];

/// The errors say in words what has no meaning.
type Lowered = Result<Term, String>;

/// A datatype as formulas know it.
enum Shape {
    /// One of the solver's.
    Plain(Sort, DatatypeSort),
    /// One by axioms.
    Recursive(Arc<Recursive>),
    /// One whose values are of limited height, with the highest values for each field that is bounded, too.
    Bounded(Arc<Level>, Vec<Vec<Option<Arc<Level>>>>),
}

impl Shape {
    fn of(symbols: &Symbols<'_>, sort: &Sort) -> Result<Shape, String> {
        if let Some(level) = symbols.level(sort) {
            let highest = |below: &Option<Arc<Level>>| match below {
                Some(below) => symbols.highest(below).map(Some),
                None => Ok(None),
            };
            let all = level.below.iter();
            let all = all.map(|fields| fields.iter().map(highest).collect());
            let all = all.collect::<Result<_, String>>()?;
            return Ok(Shape::Bounded(level, all));
        }
        if let Sort::Datatype(datatype) = sort {
            return Ok(Shape::Plain(sort.clone(), datatype.clone()));
        }
        let recursive = symbols.recursive_datatype(sort).map(Shape::Recursive);
        recursive.ok_or_else(|| "a value of no datatype".into())
    }

    fn constructors(&self) -> usize {
        match self {
            Shape::Plain(_, datatype) => datatype.constructors().len(),
            Shape::Recursive(datatype) => datatype.constructors.len(),
            Shape::Bounded(level, _) => level.numbers.len(),
        }
    }

    /// The sorts of the fields of a constructor.
    fn sorts(&self, constructor: usize) -> Option<Vec<Sort>> {
        match self {
            Shape::Plain(_, datatype) => {
                let constructor = datatype.constructors().nth(constructor)?;
                Some(constructor.sorts().collect())
            }
            Shape::Recursive(datatype) => {
                Some(datatype.constructors.get(constructor)?.params.clone())
            }
            Shape::Bounded(level, highest) => {
                let Sort::Datatype(datatype) = &level.sort else {
                    return None;
                };
                let number = level.number(constructor)?;
                let sorts = datatype.constructor(number)?.sorts();
                let wanted = sorts.zip(&highest[constructor]);
                let sort = |(own, highest): (Sort, &Option<Arc<Level>>)| match highest {
                    Some(highest) => highest.sort.clone(),
                    None => own,
                };
                Some(wanted.map(sort).collect())
            }
        }
    }

    fn construct(&self, terms: &Terms, constructor: usize, args: &[Term]) -> Lowered {
        let wanted = self.sorts(constructor);
        let fits =
            wanted.is_some_and(|wanted| wanted.iter().eq(args.iter().map(|&a| terms.sort(a))));
        if !fits {
            return Err("this use of a constructor".into());
        }
        Ok(match self {
            Shape::Plain(sort, _) => terms.construct(sort, number(constructor)?, args),
            Shape::Recursive(datatype) => terms.apply(&datatype.constructors[constructor], args),
            Shape::Bounded(level, highest) => {
                let own = level
                    .number(constructor)
                    .ok_or("a value that is too high")?;
                let mut too_high = Vec::new();
                let places = level.below[constructor].iter().zip(&highest[constructor]);
                let fields = args.iter().zip(places).map(|(&arg, place)| match place {
                    (Some(below), Some(highest)) => {
                        let (low, high) = below.convert(terms, highest, arg);
                        too_high.push(high);
                        low
                    }
                    _ => arg,
                });
                let fields: Vec<Term> = fields.collect();
                let value = terms.construct(&level.sort, own, &fields);
                level.marked(terms, value, terms.or(too_high))
            }
        })
    }

    fn is(&self, terms: &Terms, value: Term, constructor: usize) -> Lowered {
        Ok(match self {
            Shape::Plain(..) => terms.is(value, number(constructor)?),
            Shape::Recursive(datatype) => datatype.is(terms, value, constructor),
            Shape::Bounded(level, _) => match level.number(constructor) {
                Some(number) => terms.is(value, number),
                None => terms.ff(),
            },
        })
    }

    /// A field of a value that the constructor made.
    fn part(&self, terms: &Terms, value: Term, constructor: usize, position: usize) -> Lowered {
        let none = || "this field of a datatype".to_owned();
        Ok(match self {
            Shape::Plain(_, datatype) => {
                let (constructor, position) = (number(constructor)?, number(position)?);
                datatype.field(constructor, position).ok_or_else(none)?;
                terms.field(value, constructor, position)
            }
            Shape::Recursive(datatype) => {
                let parts = datatype.parts.get(constructor).ok_or_else(none)?;
                let field = parts.get(position).and_then(|&f| datatype.fields.get(f));
                terms.apply(field.ok_or_else(none)?, &[value])
            }
            Shape::Bounded(level, highest) => {
                let own = level.number(constructor).ok_or_else(none)?;
                let part = terms.field(value, own, number(position)?);
                let below = level.below[constructor].get(position).ok_or_else(none)?;
                match (below, &highest[constructor][position]) {
                    (Some(below), Some(highest)) => highest.convert(terms, below, part).0,
                    _ => part,
                }
            }
        })
    }
}

/// `Constructor(args)`
pub fn construct(symbols: &Symbols<'_>, sort: &Sort, constructor: usize, args: &[Term]) -> Lowered {
    Shape::of(symbols, sort)?.construct(symbols.terms, constructor, args)
}

/// `value is Constructor`
pub fn is(symbols: &Symbols<'_>, value: Term, constructor: usize) -> Lowered {
    let terms = symbols.terms;
    Shape::of(symbols, terms.sort(value))?.is(terms, value, constructor)
}

/// `value->field`
pub fn field(symbols: &Symbols<'_>, id: DatatypeId, field: usize, value: Term) -> Lowered {
    let terms = symbols.terms;
    let sort = terms.sort(value);
    let shape = Shape::of(symbols, sort)?;
    let (name, positions) = positions(symbols, id, field)?;
    if let (Shape::Recursive(_), Some(&(constructor, position))) = (&shape, positions.first()) {
        // One function for all constructors, of which nothing is said for values without the field.
        return shape.part(terms, value, constructor, position);
    }
    let mut cases = Vec::new();
    for &(constructor, position) in positions {
        cases.push((
            shape.is(terms, value, constructor)?,
            shape.part(terms, value, constructor, position)?,
        ));
    }
    let Some(&(_, last)) = cases.last() else {
        return Err("this field of a datatype".into());
    };
    let mut result = last;
    if cases.len() < shape.constructors() {
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
    let shape = Shape::of(symbols, terms.sort(value))?;
    let (_, positions) = positions(symbols, id, field)?;
    if positions.len() != shape.constructors() {
        return Err("an update of a field that some values do not have".into());
    }
    let mut result = None;
    for &(constructor, changed) in positions.iter().rev() {
        let sorts = shape.sorts(constructor).ok_or("this field of a datatype")?;
        if sorts.get(changed) != Some(terms.sort(new)) {
            return Err("this use of a field".into());
        }
        let args = (0..sorts.len()).map(|position| match position == changed {
            true => Ok(new),
            false => shape.part(terms, value, constructor, position),
        });
        let args: Vec<Term> = args.collect::<Result<_, String>>()?;
        let made = shape.construct(terms, constructor, &args)?;
        result = Some(match result {
            None => made,
            Some(other) => terms.ite(shape.is(terms, value, constructor)?, made, other),
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

fn number(index: usize) -> Result<u32, String> {
    u32::try_from(index).map_err(|_| "a large datatype".into())
}
