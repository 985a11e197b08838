//! Concrete values.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Signed;

use super::float::{Float, Format, Mode};
use super::sort::Sort;

/// A value of a sort, exact.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Real(BigRational),
    /// A bit-vector of a width.
    BitVec(BigUint, u32),
    /// A floating-point number.
    Float(Float),
    /// A rounding mode.
    Rounding(Mode),
    /// An element of an uninterpreted sort; different numbers are different elements.
    Element(Arc<str>, u32),
    /// A map.
    Map(Arc<MapValue>),
    /// A value of a datatype.
    Construct(Arc<ConstructValue>),
    /// Any value: the default of a map of which some elements are known ([`Value::open_map`]), and nothing else. Evaluation
    /// has no value where it comes to this.
    Open,
}

/// What a constructor of a datatype makes of its fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstructValue {
    /// The number of the constructor.
    pub constructor: u32,
    /// Its name.
    pub name: Arc<str>,
    /// The fields, in order.
    pub fields: Vec<Value>,
}

/// A map that differs from its default at finitely many places.
///
/// Equality of the Rust type is equality of maps only after [`MapValue::normalised`] and for
/// infinite domains; [`Value::same`] decides it for all.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapValue {
    /// The sorts of the indices.
    pub domain: Vec<Sort>,
    /// The value wherever `entries` has none.
    pub default: Value,
    /// The exceptions.
    pub entries: Entries,
}

/// What a map has at single places. Copies share what they have in common, so that a map with many
/// entries of which one is changed costs little: runs change maps at every step.
pub type Entries = rpds::RedBlackTreeMapSync<Vec<Value>, Value>;

/// The meaning of a rigid function: a table with a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionValue {
    /// The value wherever `entries` has none.
    pub default: Value,
    /// The exceptions.
    pub entries: BTreeMap<Vec<Value>, Value>,
}

impl MapValue {
    /// The element at an index.
    pub fn get(&self, index: &[Value]) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The same map without entries that repeat the default.
    pub fn normalised(self) -> MapValue {
        let kept = self
            .entries
            .iter()
            .filter(|(_, value)| **value != self.default);
        MapValue {
            entries: kept.map(|(k, v)| (k.clone(), v.clone())).collect(),
            ..self
        }
    }

    /// Whether only some elements are known.
    fn is_open(&self) -> bool {
        let is_open = |value: &Value| match value {
            Value::Open => true,
            Value::Map(inner) => inner.is_open(),
            _ => false,
        };
        is_open(&self.default) || self.entries.iter().any(|(_, value)| is_open(value))
    }

    /// How many indices there are, where finite.
    fn domain_size(&self) -> Option<BigUint> {
        self.domain
            .iter()
            .map(Sort::cardinality)
            .try_fold(BigUint::from(1u32), |product, size| Some(product * size?))
    }
}

impl Value {
    /// An integer value.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    /// Whether two values of one sort are equal; `None` if that cannot be decided (maps over an
    /// uninterpreted domain, whose size is not known, that differ in the default only; maps
    /// indexed by maps; maps of which only some elements are known).
    pub fn same(&self, other: &Value) -> Option<bool> {
        if let (Value::Construct(left), Value::Construct(right)) = (self, other) {
            if left.constructor != right.constructor {
                return Some(false);
            }
            let mut undecided = false;
            for (left, right) in left.fields.iter().zip(&right.fields) {
                match left.same(right) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => undecided = true,
                }
            }
            return (!undecided).then_some(true);
        }
        let (Value::Map(left), Value::Map(right)) = (self, other) else {
            let is_open = matches!(self, Value::Open) || matches!(other, Value::Open);
            return (!is_open).then(|| self == other);
        };
        if left.is_open() || right.is_open() {
            return None;
        }
        if Arc::ptr_eq(left, right) {
            return Some(true);
        }
        // One map may be written as different tables, so an index that is a map may be listed
        // under another name. Only maps written alike are known to be equal then.
        let indexed_by_maps = left.domain.iter().any(Sort::has_maps);
        if indexed_by_maps && !(left.entries.is_empty() && right.entries.is_empty()) {
            return (left == right).then_some(true);
        }
        let mut undecided = false;
        let keys: std::collections::BTreeSet<_> =
            left.entries.keys().chain(right.entries.keys()).collect();
        for key in &keys {
            match left.get(key).same(right.get(key)) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        match left.default.same(&right.default) {
            Some(true) => {}
            defaults => match left.domain_size() {
                // Every index is listed, so the defaults are never seen.
                Some(size) if size <= BigUint::from(keys.len()) => {}
                Some(_) => return defaults.filter(|_| !undecided),
                None if left
                    .domain
                    .iter()
                    .any(|s| !matches!(s, Sort::Int | Sort::Real)) =>
                {
                    undecided = true;
                }
                None => return defaults.filter(|_| !undecided),
            },
        }
        (!undecided).then_some(true)
    }

    /// A map of which nothing is known; `None` for other sorts.
    pub fn open_map(sort: &Sort) -> Option<Value> {
        let Sort::Map(map) = sort else { return None };
        Some(Value::Map(Arc::new(MapValue {
            domain: map.domain.clone(),
            default: Value::open(&map.range),
            entries: Entries::default(),
        })))
    }

    /// An element of a map of which nothing is known.
    pub(crate) fn open(sort: &Sort) -> Value {
        Value::open_map(sort).unwrap_or(Value::Open)
    }

    /// Some value of a sort, used where any will do; `None` for sorts without built-in values.
    pub fn any_of(sort: &Sort) -> Option<Value> {
        Some(match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::default()),
            Sort::Real => Value::Real(BigRational::from_integer(BigInt::default())),
            Sort::BitVec(width) => Value::BitVec(BigUint::default(), *width),
            Sort::Uninterpreted(name) => Value::Element(name.clone(), 0),
            Sort::Map(map) => Value::Map(Arc::new(MapValue {
                domain: map.domain.clone(),
                default: Value::any_of(&map.range)?,
                entries: Entries::default(),
            })),
            Sort::Datatype(datatype) => {
                let number = datatype.lowest()?;
                let constructor = datatype.constructor(number)?;
                let fields = constructor.sorts().map(|sort| Value::any_of(&sort));
                Value::Construct(Arc::new(ConstructValue {
                    constructor: number,
                    name: constructor.name().clone(),
                    fields: fields.collect::<Option<_>>()?,
                }))
            }
            Sort::Float(exponent, significand) => {
                Value::Float(Float::zero(Format::new(*exponent, *significand)?, false))
            }
            Sort::RoundingMode => Value::Rounding(Mode::NearestEven),
            Sort::Seq(_) | Sort::String | Sort::RegEx => return None,
        })
    }
}

impl fmt::Display for Value {
    /// Boogie's notation where there is one, but for floating-point numbers C's; maps as `[1 := 5, else 0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Real(value) => write_real(f, value),
            Value::BitVec(value, width) => write!(f, "{value}bv{width}"),
            Value::Float(value) => write!(f, "{value}"),
            Value::Rounding(mode) => f.write_str(mode.name()),
            Value::Element(sort, number) => write!(f, "{sort}!{number}"),
            Value::Map(map) => {
                f.write_str("[")?;
                for (index, value) in &map.entries {
                    for (i, part) in index.iter().enumerate() {
                        write!(f, "{}{part}", if i > 0 { ", " } else { "" })?;
                    }
                    write!(f, " := {value}, ")?;
                }
                write!(f, "else {}]", map.default)
            }
            Value::Open => f.write_str("?"),
            Value::Construct(value) => {
                write!(f, "{}(", value.name)?;
                for (i, field) in value.fields.iter().enumerate() {
                    write!(f, "{}{field}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Writes a rational number exactly: as a decimal where it has one, else as a quotient.
pub fn write_real(f: &mut impl fmt::Write, value: &BigRational) -> fmt::Result {
    let mut denominator = value.denom().clone();
    let mut twos = 0u32;
    let mut fives = 0u32;
    let zero = BigInt::default();
    while &denominator % 2 == zero {
        denominator /= 2;
        twos += 1;
    }
    while &denominator % 5 == zero {
        denominator /= 5;
        fives += 1;
    }
    if denominator != BigInt::from(1) {
        return write!(f, "{}.0 / {}.0", value.numer(), value.denom());
    }
    let digits = twos.max(fives).max(1);
    let scaled = value * BigRational::from_integer(BigInt::from(10).pow(digits));
    let text = format!(
        "{:0>width$}",
        scaled.to_integer().abs(),
        width = digits as usize + 1
    );
    let (whole, fraction) = text.split_at(text.len() - digits as usize);
    let sign = if value.is_negative() { "-" } else { "" };
    write!(f, "{sign}{whole}.{fraction}")
}
