//! Types of Boogie with few values, and these values.

use std::fmt::Write as _;

use super::super::extended;

/// A datatype of the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    Unit,
    Color,
    Way,
    Pair,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Bits(u32),
    /// Rounding modes.
    Mode,
    /// `float3e2`.
    Float,
    Data(Data),
    /// A datatype with a type parameter.
    Option(Box<Sort>),
    /// The uninterpreted type, whose elements are among some constants.
    Opaque,
    /// Values of variables are defined before they matter.
    Int,
    Map(Vec<Sort>, Box<Sort>),
}

/// A value: a number that counts the values of its type, a constructor with its arguments, or the elements of a map in
/// the order of its indices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Number(u64),
    Data(usize, Vec<Value>),
    Map(Vec<Value>),
}

impl Value {
    /// A truth value.
    pub(super) fn truth(is_true: bool) -> Value {
        Value::Number(u64::from(is_true))
    }

    /// Whether it is the truth value `true`.
    pub(super) fn is_true(&self) -> bool {
        *self == Value::Number(1)
    }
}

/// The rounding modes, in one order.
pub(super) const MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];

/// Bits 1, 2 and 3 of `float3e2`: 24 numbers and infinities whose pattern is 0 to 12 but for the sign, and one that is none.
const FLOATS: u64 = 27;

/// The number of the value that a pattern of five bits means. With all bits of the exponent, zero is an infinity, and anything
/// else is no number.
pub(super) fn float(pattern: u64) -> u64 {
    let (sign, rest) = (pattern >> 4 & 1, pattern & 15);
    match rest {
        0..=12 => sign * 13 + rest,
        _ => FLOATS - 1,
    }
}

/// A constructor: its name, and the names and types of its fields.
pub(super) type Constructor = (&'static str, Vec<(&'static str, Sort)>);

impl Sort {
    /// A map with one index.
    pub(super) fn map(index: Sort, element: Sort) -> Sort {
        Sort::Map(vec![index], Box::new(element))
    }

    /// The constructors; other types have none.
    pub(super) fn constructors(&self) -> Vec<Constructor> {
        match self {
            Sort::Data(Data::Unit) => vec![("unit", Vec::new())],
            Sort::Data(Data::Color) => ["red", "green", "blue"]
                .map(|name| (name, Vec::new()))
                .to_vec(),
            Sort::Data(Data::Way) => vec![
                ("exact", Vec::new()),
                ("rounded", vec![("how", Sort::Mode)]),
            ],
            Sort::Data(Data::Pair) => vec![(
                "pair",
                vec![("first", Sort::Bool), ("second", Sort::Bits(1))],
            )],
            Sort::Option(of) => vec![
                ("None", Vec::new()),
                ("Some", vec![("value", (**of).clone())]),
            ],
            _ => Vec::new(),
        }
    }

    /// The number of values, where the uninterpreted type has so many; none for integers and what is made of them.
    pub(super) fn size(&self, opaque: u64) -> Option<u64> {
        match self {
            Sort::Bool => Some(2),
            Sort::Bits(width) => Some(1 << width),
            Sort::Mode => Some(5),
            Sort::Float => Some(FLOATS),
            Sort::Opaque => Some(opaque),
            Sort::Int => None,
            Sort::Data(_) | Sort::Option(_) => {
                let mut sum = 0u64;
                for (_, fields) in self.constructors() {
                    let mut product = 1u64;
                    for (_, field) in fields {
                        product = product.checked_mul(field.size(opaque)?)?;
                    }
                    sum = sum.checked_add(product)?;
                }
                Some(sum)
            }
            Sort::Map(indices, element) => {
                let count = u32::try_from(count(indices, opaque)?).ok()?;
                element.size(opaque)?.checked_pow(count)
            }
        }
    }

    /// All values, in the order of [`ordinal`].
    pub(super) fn values(&self, opaque: u64) -> Vec<Value> {
        match self {
            Sort::Data(_) | Sort::Option(_) => self
                .constructors()
                .into_iter()
                .enumerate()
                .flat_map(|(number, (_, fields))| {
                    let fields: Vec<Sort> = fields.into_iter().map(|(_, sort)| sort).collect();
                    tuples(&fields, opaque)
                        .into_iter()
                        .map(move |values| Value::Data(number, values))
                })
                .collect(),
            Sort::Map(indices, element) => {
                let count = count(indices, opaque).unwrap_or_default();
                let elements = vec![(**element).clone(); count as usize];
                tuples(&elements, opaque)
                    .into_iter()
                    .map(Value::Map)
                    .collect()
            }
            _ => (0..self.size(opaque).unwrap_or_default())
                .map(Value::Number)
                .collect(),
        }
    }

    /// The first of the values.
    pub(super) fn any(&self, opaque: u64) -> Value {
        match self {
            Sort::Map(indices, element) => {
                let count = count(indices, opaque).unwrap_or_default();
                Value::Map(vec![element.any(opaque); count as usize])
            }
            Sort::Data(_) | Sort::Option(_) => {
                let fields = self.constructors().into_iter().next();
                let fields = fields.map(|(_, fields)| fields).unwrap_or_default();
                Value::Data(0, fields.iter().map(|(_, sort)| sort.any(opaque)).collect())
            }
            _ => Value::Number(0),
        }
    }

    /// As it is written.
    pub(super) fn text(&self) -> String {
        match self {
            Sort::Bool => "bool".into(),
            Sort::Bits(width) => format!("bv{width}"),
            Sort::Mode => "rmode".into(),
            Sort::Float => "float3e2".into(),
            Sort::Data(data) => format!("{data:?}"),
            Sort::Opaque => "T".into(),
            Sort::Int => "int".into(),
            Sort::Option(of) => match &**of {
                Sort::Option(_) => format!("Option ({})", of.text()),
                _ => format!("Option {}", of.text()),
            },
            Sort::Map(indices, element) => {
                let mut text = String::from("[");
                for (position, index) in indices.iter().enumerate() {
                    let comma = if position > 0 { ", " } else { "" };
                    let _ = write!(text, "{comma}{}", index.text());
                }
                format!("{text}]{}", element.text())
            }
        }
    }
}

/// How many tuples of values there are.
pub(super) fn count(sorts: &[Sort], opaque: u64) -> Option<u64> {
    sorts.iter().try_fold(1u64, |product, sort| {
        product.checked_mul(sort.size(opaque)?)
    })
}

/// All tuples of values; the last ones change fastest.
pub(super) fn tuples(sorts: &[Sort], opaque: u64) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for sort in sorts {
        let values = sort.values(opaque);
        all = extended(&all, &values);
    }
    all
}

/// The place of a tuple among all of them.
pub(super) fn place(sorts: &[Sort], values: &[Value], opaque: u64) -> u64 {
    sorts.iter().zip(values).fold(0, |place, (sort, value)| {
        place * sort.size(opaque).unwrap_or(1) + ordinal(sort, value, opaque)
    })
}

/// The place of a value among all values of its type.
pub(super) fn ordinal(sort: &Sort, value: &Value, opaque: u64) -> u64 {
    match value {
        Value::Number(number) => *number,
        Value::Data(number, values) => {
            let mut before = 0;
            for (at, (_, fields)) in sort.constructors().into_iter().enumerate() {
                let fields: Vec<Sort> = fields.into_iter().map(|(_, sort)| sort).collect();
                if at == *number {
                    return before + place(&fields, values, opaque);
                }
                before += count(&fields, opaque).unwrap_or_default();
            }
            before
        }
        Value::Map(values) => match sort {
            Sort::Map(_, element) => {
                let elements = vec![(**element).clone(); values.len()];
                place(&elements, values, opaque)
            }
            _ => 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorts() -> Vec<(Sort, u64)> {
        let two = Sort::map(Sort::Bool, Sort::Bool);
        vec![
            (Sort::Bool, 2),
            (Sort::Bits(2), 4),
            (Sort::Mode, 5),
            (Sort::Float, 27),
            (Sort::Data(Data::Unit), 1),
            (Sort::Data(Data::Color), 3),
            (Sort::Data(Data::Way), 6),
            (Sort::Data(Data::Pair), 4),
            (Sort::Option(Box::new(Sort::Mode)), 6),
            (
                Sort::Option(Box::new(Sort::Option(Box::new(Sort::Bool)))),
                4,
            ),
            (Sort::Opaque, 3),
            (two.clone(), 4),
            (Sort::map(two, Sort::Bits(1)), 16),
            (
                Sort::Map(
                    vec![Sort::Bool, Sort::Data(Data::Color)],
                    Box::new(Sort::Bool),
                ),
                64,
            ),
        ]
    }

    #[test]
    fn types_have_so_many_values() {
        for (sort, size) in sorts() {
            assert_eq!(sort.size(3), Some(size), "{sort:?}");
            assert_eq!(sort.values(3).len() as u64, size, "{sort:?}");
        }
        assert_eq!(Sort::map(Sort::Bool, Sort::Int).size(1), None);
    }

    #[test]
    fn values_stand_in_their_places() {
        for (sort, _) in sorts() {
            for (place, value) in sort.values(3).iter().enumerate() {
                assert_eq!(ordinal(&sort, value, 3), place as u64, "{sort:?}");
            }
            assert_eq!(sort.values(3).first(), Some(&sort.any(3)), "{sort:?}");
        }
    }

    #[test]
    fn patterns_that_are_no_numbers_mean_the_same() {
        let all: std::collections::BTreeSet<u64> = (0..32).map(float).collect();
        assert_eq!(all.len(), 27);
        assert_eq!(float(0b01101), float(0b11111));
        assert_ne!(float(0b00000), float(0b10000));
        assert_ne!(float(0b01100), float(0b11100));
    }
}
