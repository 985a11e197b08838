//! Maps and datatypes.

use super::super::sort::Sort;
use super::super::term::{Op, Term, Terms};
use super::distinct_literals;

impl Terms {
    /// `map[indices]`
    pub fn select(&self, map: Term, indices: &[Term]) -> Term {
        let mut base = map;
        loop {
            let node = self.node(base);
            match (&node.op, &*node.args) {
                (Op::Store, [inner, rest @ ..]) => {
                    let (stored_at, value) = rest.split_at(indices.len());
                    if stored_at == indices {
                        return value[0];
                    }
                    let apart = stored_at.iter().zip(indices).any(|(x, y)| {
                        distinct_literals(self.node(*x), self.node(*y)) == Some(false)
                    });
                    if !apart {
                        break;
                    }
                    base = *inner;
                }
                (Op::ConstMap, [value]) => return *value,
                _ => break,
            }
        }
        let range = match self.sort(base) {
            Sort::Map(sort) => sort.range.clone(),
            other => other.clone(),
        };
        let mut args = vec![base];
        args.extend(indices);
        self.intern(Op::Select, args, range)
    }

    /// `map[indices := value]`
    pub fn store(&self, map: Term, indices: &[Term], value: Term) -> Term {
        let node = self.node(value);
        if node.op == Op::Select && node.args[0] == map && node.args[1..] == *indices {
            return map;
        }
        let base = match (self.op(map), self.args(map)) {
            // The older value at the same place is overwritten.
            (Op::Store, [inner, rest @ ..]) if rest[..indices.len()] == *indices => *inner,
            _ => map,
        };
        let mut args = vec![base];
        args.extend(indices);
        args.push(value);
        self.intern(Op::Store, args, self.sort(map).clone())
    }

    /// The map of the given sort with `value` everywhere.
    pub fn const_map(&self, sort: Sort, value: Term) -> Term {
        self.intern(Op::ConstMap, [value], sort)
    }

    /// The value that a constructor of a datatype makes of its fields.
    pub fn construct(&self, sort: &Sort, constructor: u32, fields: &[Term]) -> Term {
        // Taken apart and put together again.
        if let Some(&first) = fields.first()
            && let (Op::Field { .. }, &[whole]) = (self.op(first), self.args(first))
            && self.sort(whole) == sort
            && matches!(sort, Sort::Datatype(datatype) if datatype.constructors().len() == 1)
            && fields
                .iter()
                .zip(0..)
                .all(|(&field, i)| field == self.field(whole, constructor, i))
        {
            return whole;
        }
        self.intern(Op::Construct(constructor), fields, sort.clone())
    }

    /// A field of a value of a datatype that is made by `constructor`.
    pub fn field(&self, value: Term, constructor: u32, field: u32) -> Term {
        if *self.op(value) == Op::Construct(constructor)
            && let Some(&field) = self.args(value).get(field as usize)
        {
            return field;
        }
        let sort = match self.sort(value) {
            Sort::Datatype(datatype) => datatype.field(constructor, field),
            _ => None,
        };
        let sort = sort.unwrap_or_else(|| self.sort(value).clone());
        self.intern(Op::Field { constructor, field }, [value], sort)
    }

    /// Whether a value of a datatype is made by `constructor`.
    pub fn is(&self, value: Term, constructor: u32) -> Term {
        match (self.op(value), self.sort(value)) {
            (Op::Construct(actual), _) => self.bool(*actual == constructor),
            (_, Sort::Datatype(datatype)) if datatype.constructors().len() == 1 => self.tt(),
            _ => self.intern(Op::Is(constructor), [value], Sort::Bool),
        }
    }
}
