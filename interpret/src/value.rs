//! Values of variables and expressions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;
use ult_lang::hir::{RoundingMode, Type};

use crate::float::{self, Format};
use crate::map::Map;

/// A value. Copies are cheap: what is large is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer, if it fits.
    Int(i128),
    /// An integer that does not fit in [`Value::Int`].
    Big(Rc<BigInt>),
    /// A bit-vector of up to 128 bits; the bits beyond its width are zero.
    Bits(u128),
    /// A floating point number of up to 128 bits, in IEEE 754's interchange format; there is one NaN.
    Float(u128),
    /// A real.
    Real(Rc<BigRational>),
    /// A map.
    Map(Rc<Map>),
    /// A value of a datatype.
    Data(Rc<Data>),
    /// A string.
    Text(Rc<str>),
    /// A rounding mode.
    Rounding(RoundingMode),
    /// An element of an uninterpreted type; elements with different numbers differ.
    Element(u64),
}

/// A value of a datatype.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Data {
    /// Which constructor made it.
    pub constructor: usize,
    /// The values of the constructor's fields.
    pub fields: Vec<Value>,
}

impl Value {
    /// An integer.
    pub(crate) fn int(value: BigInt) -> Value {
        match value.to_i128() {
            Some(small) => Value::Int(small),
            None => Value::Big(Rc::new(value)),
        }
    }

    /// The integer, if it is one.
    pub(crate) fn as_big(&self) -> Option<BigInt> {
        match self {
            Value::Int(small) => Some(BigInt::from(*small)),
            Value::Big(big) => Some((**big).clone()),
            _ => None,
        }
    }

    /// Whether it is or contains a map.
    pub(crate) fn has_map(&self) -> bool {
        match self {
            Value::Map(_) => true,
            Value::Data(data) => data.fields.iter().any(Value::has_map),
            _ => false,
        }
    }

    /// The value as text, as Boogie writes it where it can.
    pub(crate) fn shown(&self, ty: &Type) -> String {
        match (self, ty) {
            (Value::Bits(bits), Type::BitVec(width)) => format!("{bits}bv{width}"),
            (Value::Map(map), Type::Map(of)) => map.shown(of),
            (Value::Float(bits), ty) => match Format::of(ty) {
                Some(format) => float::shown(*bits, format),
                None => self.to_string(),
            },
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Big(value) => write!(f, "{value}"),
            Value::Bits(value) => write!(f, "{value}"),
            Value::Float(bits) => write!(f, "float with the bits {bits:#x}"),
            Value::Real(value) => write!(f, "{value}"),
            Value::Map(map) => write!(f, "a map with {} entries", map.len()),
            Value::Data(data) => {
                write!(f, "constructor {}(", data.constructor)?;
                for (number, field) in data.fields.iter().enumerate() {
                    if number > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{field}")?;
                }
                f.write_str(")")
            }
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Rounding(mode) => write!(f, "{mode:?}"),
            Value::Element(number) => write!(f, "element {number}"),
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Bool(value) => value.hash(state),
            Value::Int(value) => hash_wide(value.cast_unsigned(), state),
            Value::Bits(value) | Value::Float(value) => hash_wide(*value, state),
            Value::Big(value) => value.hash(state),
            Value::Real(value) => value.hash(state),
            // Maps are no keys.
            Value::Map(_) => {}
            Value::Data(data) => data.hash(state),
            Value::Text(text) => text.hash(state),
            Value::Rounding(mode) => mode.hash(state),
            Value::Element(number) => number.hash(state),
        }
    }
}

/// Most numbers are small.
fn hash_wide<H: Hasher>(value: u128, state: &mut H) {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    let (low, high) = (value as u64, (value >> 64) as u64);
    state.write_u64(low ^ high.rotate_left(32));
}
