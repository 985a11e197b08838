//! Maps: what was written, over a base.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use ult_lang::hir::{MapType, Type};

use crate::code::Lambda;
use crate::value::Value;

/// The indices of an element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// One index.
    One(Value),
    /// Two.
    Two(Value, Value),
    /// Any other number.
    Many(Box<[Value]>),
}

impl Key {
    /// The indices.
    pub(crate) fn values(&self) -> Vec<&Value> {
        match self {
            Key::One(a) => vec![a],
            Key::Two(a, b) => vec![a, b],
            Key::Many(all) => all.iter().collect(),
        }
    }
}

/// The elements that were not written.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    /// All are equal.
    Constant(Value),
    /// Given by an expression.
    Lambda(Rc<Closure>),
    /// Chosen: the number and the indices determine the element, which is of this type.
    Chosen(u64, Rc<Type>),
}

/// An expression with the values of its free variables.
#[derive(Debug)]
pub(crate) struct Closure {
    /// The expression.
    pub lambda: Rc<Lambda>,
    /// The values that it captures.
    pub captured: Vec<Value>,
}

/// A map.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// The elements that were not written.
    pub base: Base,
    /// Those that were.
    pub entries: FxHashMap<Key, Value>,
}

/// Values have an equality for the sake of keys, which are no maps: one map is equal to itself only.
impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Map {}

/// So many elements are shown.
const SHOWN: usize = 20;

impl Map {
    /// A map whose elements are all equal.
    pub(crate) fn constant(value: Value) -> Value {
        Map::over(Base::Constant(value))
    }

    /// A map over a base.
    pub(crate) fn over(base: Base) -> Value {
        Value::Map(Rc::new(Map {
            base,
            entries: FxHashMap::default(),
        }))
    }

    /// How many elements were written.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The elements that were written, by their indices, and what the others are.
    pub(crate) fn shown(&self, ty: &MapType) -> String {
        let mut lines: Vec<(Vec<&Value>, &Value)> = self
            .entries
            .iter()
            .map(|(key, value)| (key.values(), value))
            .collect();
        lines.sort_by(|(a, _), (b, _)| compare_keys(a, b));
        let mut text = String::from("[");
        for (key, value) in lines.iter().take(SHOWN) {
            let indices: Vec<String> = key
                .iter()
                .zip(&ty.domain)
                .map(|(value, ty)| value.shown(ty))
                .collect();
            let _ = write!(text, "{}: {}, ", indices.join(","), value.shown(&ty.range));
        }
        if lines.len() > SHOWN {
            let _ = write!(text, "{} more, ", lines.len() - SHOWN);
        }
        match &self.base {
            Base::Constant(value) => {
                let _ = write!(text, "else {}]", value.shown(&ty.range));
            }
            Base::Lambda(_) => text.push_str("else by an expression]"),
            Base::Chosen(..) => text.push_str("else anything]"),
        }
        text
    }
}

fn compare_keys(a: &[&Value], b: &[&Value]) -> std::cmp::Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Bits(a), Value::Bits(b)) => a.cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Element(a), Value::Element(b)) => a.cmp(b),
            _ => a.to_string().cmp(&b.to_string()),
        };
        if order.is_ne() {
            return order;
        }
    }
    std::cmp::Ordering::Equal
}
