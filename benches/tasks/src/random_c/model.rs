//! What the generator knows of the memory at each point of the program it writes: which pointers point where. The
//! values of integers are left to the compiler.

use super::types::{Type, Types};

/// A part of an object: members and elements by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The object.
    pub object: usize,
    /// The way into it.
    pub path: Vec<usize>,
}

impl Place {
    /// Whether one is the other one, or in it.
    pub(super) fn overlaps(&self, other: &Place) -> bool {
        self.object == other.object
            && (self.path.starts_with(&other.path) || other.path.starts_with(&self.path))
    }
}

/// What a pointer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Null.
    Null,
    /// A place in an object.
    Place(Place),
    /// A function.
    Function(usize),
}

/// What is in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing was written yet.
    Unset,
    /// Some integer.
    Integer,
    /// A pointer, or an address as a number.
    Pointer(Target),
    /// The members or elements.
    All(Vec<Value>),
    /// The member of a union that was written last.
    Member(usize, Box<Value>),
}

/// An object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Its type.
    pub of: Type,
    /// What is in it.
    pub value: Value,
    /// Not yet at the end of its life.
    pub is_alive: bool,
}

/// All objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// By number.
    pub objects: Vec<Object>,
}

impl Memory {
    /// A new object.
    pub(super) fn create(&mut self, of: Type, value: Value) -> Place {
        self.objects.push(Object {
            of,
            value,
            is_alive: true,
        });
        Place {
            object: self.objects.len() - 1,
            path: Vec::new(),
        }
    }

    /// Its life ends; pointers to it are not used any more.
    pub(super) fn end(&mut self, object: usize) {
        if let Some(object) = self.objects.get_mut(object) {
            object.is_alive = false;
        }
    }

    /// Whether a place is in an object that lives, and in no member of a union that was written over.
    pub(super) fn is_alive(&self, place: &Place) -> bool {
        self.objects
            .get(place.object)
            .is_some_and(|object| object.is_alive)
            && self.get(place).is_some()
    }

    /// The type of a place.
    pub(super) fn type_of(&self, types: &Types, place: &Place) -> Option<Type> {
        let mut of = self.objects.get(place.object)?.of.clone();
        for step in &place.path {
            of = match of {
                Type::Record(number) => types.records.get(number)?.fields.get(*step)?.of.clone(),
                Type::Array(element, _) => (*element).clone(),
                _ => return None,
            };
        }
        Some(of)
    }

    /// What is in a place.
    pub(super) fn get(&self, place: &Place) -> Option<Value> {
        let mut value = &self.objects.get(place.object)?.value;
        for step in &place.path {
            value = match value {
                Value::All(parts) => parts.get(*step)?,
                Value::Member(member, inner) if member == step => inner,
                Value::Unset => return Some(Value::Unset),
                _ => return None,
            };
        }
        Some(value.clone())
    }

    /// Writes to a place.
    pub(super) fn set(&mut self, types: &Types, place: &Place, new: Value) {
        let Some(object) = self.objects.get_mut(place.object) else {
            return;
        };
        let mut of = object.of.clone();
        let mut value = &mut object.value;
        for step in &place.path {
            let (inner, parts, is_union) = match &of {
                Type::Record(number) => {
                    let Some(record) = types.records.get(*number) else {
                        return;
                    };
                    let Some(field) = record.fields.get(*step) else {
                        return;
                    };
                    (field.of.clone(), record.fields.len(), record.is_union)
                }
                Type::Array(element, length) => ((**element).clone(), *length, false),
                _ => return,
            };
            if is_union {
                if !matches!(value, Value::Member(member, _) if member == step) {
                    *value = Value::Member(*step, Box::new(Value::Unset));
                }
            } else if *value == Value::Unset {
                *value = Value::All(vec![Value::Unset; parts]);
            }
            of = inner;
            let next = match value {
                Value::All(parts) => parts.get_mut(*step),
                Value::Member(_, inner) => Some(&mut **inner),
                _ => None,
            };
            let Some(next) = next else {
                return;
            };
            value = next;
        }
        *value = new;
    }

    /// Whether everything in a value was written, and no pointer in it is to a dead object: then it can be copied.
    pub(super) fn is_complete(&self, value: &Value) -> bool {
        match value {
            Value::Unset => false,
            Value::Integer => true,
            Value::Pointer(Target::Place(place)) => self.is_alive(place),
            Value::Pointer(_) => true,
            Value::All(parts) => parts.iter().all(|part| self.is_complete(part)),
            Value::Member(_, inner) => self.is_complete(inner),
        }
    }
}

/// A value of zeros and nulls.
pub(super) fn zero(types: &Types, of: &Type) -> Value {
    match of {
        Type::Int(_) | Type::Void => Value::Integer,
        Type::Pointer(_) | Type::Address | Type::Function => Value::Pointer(Target::Null),
        Type::Array(element, length) => Value::All(vec![zero(types, element); *length]),
        Type::Record(number) => match types.records.get(*number) {
            Some(record) if record.is_union => Value::Member(
                0,
                Box::new(
                    record
                        .fields
                        .first()
                        .map_or(Value::Unset, |field| zero(types, &field.of)),
                ),
            ),
            Some(record) => Value::All(
                record
                    .fields
                    .iter()
                    .map(|field| zero(types, &field.of))
                    .collect(),
            ),
            None => Value::Unset,
        },
    }
}
