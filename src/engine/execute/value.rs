//! Values as they are computed with: small ones without allocation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use rpds::RedBlackTreeMap;
use ult_core::formula::{MapSort, MapValue, Sort, Value};

use super::inputs::Random;

/// A value. Each has one form, so that equality of scalars is equality of the Rust type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Val {
    /// A truth value.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// Any other integer.
    Big(Rc<BigInt>),
    /// A bit-vector of at most 64 bits; the sort knows the width.
    Bits(u64),
    /// A value of any other sort but maps.
    Other(Rc<Value>),
    /// Several indices of a map.
    Tuple(Rc<Vec<Val>>),
    /// A map. Two maps that are equal may be told apart by the Rust type.
    Map(Rc<Map>),
    /// Any value of its sort: nobody has chosen one. Only the deterministic run has it.
    Open,
}

/// A map: what it is everywhere, and where it differs. Copies share what they have in common.
#[derive(Clone, Debug)]
pub(super) struct Map {
    base: Base,
    entries: RedBlackTreeMap<Val, Val>,
}

/// What a map is where it has no entry.
#[derive(Clone, Debug)]
enum Base {
    /// The same everywhere.
    Value(Val),
    /// Anything, chosen when it is looked at.
    Open(Rc<Open>),
}

/// The choice of a whole map, made element by element.
#[derive(Debug)]
struct Open {
    sort: Arc<MapSort>,
    random: RefCell<Random>,
    /// What was looked at.
    chosen: RefCell<BTreeMap<Val, Val>>,
}

/// Identity: whether two maps have the same elements is told by [`Val::same`], and maps are no
/// indices here.
impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Map {}

impl PartialOrd for Map {
    fn partial_cmp(&self, other: &Map) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Map {
    fn cmp(&self, other: &Map) -> std::cmp::Ordering {
        std::ptr::from_ref(self).cmp(&std::ptr::from_ref(other))
    }
}

impl Map {
    /// The same value everywhere.
    pub(super) fn constant(value: Val) -> Map {
        Map {
            base: Base::Value(value),
            entries: RedBlackTreeMap::new(),
        }
    }

    /// A map whose elements are chosen as they are looked at.
    pub(super) fn open(sort: Arc<MapSort>, random: Random) -> Map {
        let open = Open {
            sort,
            random: RefCell::new(random),
            chosen: RefCell::default(),
        };
        Map {
            base: Base::Open(Rc::new(open)),
            entries: RedBlackTreeMap::new(),
        }
    }

    /// The element at an index.
    pub(super) fn get(&self, index: &Val) -> Val {
        if let Some(value) = self.entries.get(index) {
            return value.clone();
        }
        match &self.base {
            Base::Value(value) => value.clone(),
            Base::Open(open) => {
                let mut chosen = open.chosen.borrow_mut();
                let choice = chosen.entry(index.clone()).or_insert_with(|| {
                    let mut random = open.random.borrow_mut();
                    random.value(&open.sort.range).unwrap_or(Val::Bool(false))
                });
                choice.clone()
            }
        }
    }

    /// The element at an index, if it is there to be looked at.
    pub(super) fn element(&self, index: &Val) -> Option<&Val> {
        match (self.entries.get(index), &self.base) {
            (Some(value), _) => Some(value),
            (None, Base::Value(value)) => Some(value),
            (None, Base::Open(_)) => None,
        }
    }

    /// The element at an index, to be changed.
    fn element_mut(&mut self, index: &Val) -> Option<&mut Val> {
        if !self.entries.contains_key(index) {
            self.put(index.clone(), self.get(index));
        }
        self.entries.get_mut(index)
    }

    /// The same map with another element.
    pub(super) fn with(&self, index: Val, value: Val) -> Map {
        Map {
            base: self.base.clone(),
            entries: self.entries.insert(index, value),
        }
    }

    /// As [`Map::with`], in place.
    pub(super) fn put(&mut self, index: Val, value: Val) {
        self.entries.insert_mut(index, value);
    }
}

impl Val {
    /// Any value of a sort; of maps, any element at each index.
    pub(super) fn open(sort: &Sort) -> Val {
        match sort {
            Sort::Map(map) if !map.domain.iter().any(Sort::has_maps) => {
                Val::Map(Rc::new(Map::constant(Val::open(&map.range))))
            }
            _ => Val::Open,
        }
    }

    /// An integer.
    pub(super) fn int(value: BigInt) -> Val {
        match value.to_i64() {
            Some(small) => Val::Int(small),
            None => Val::Big(Rc::new(value)),
        }
    }

    /// Changes an element of a map of maps, found by one index at each level; `None` if there is no
    /// such element.
    pub(super) fn put(&mut self, path: &[Val], value: Val) -> Option<()> {
        let map = match self {
            Val::Map(map) => map,
            // It stays open.
            Val::Open => return Some(()),
            _ => return None,
        };
        let map = Rc::make_mut(map);
        match path {
            [] => return None,
            [last] => map.put(last.clone(), value),
            [first, rest @ ..] => map.element_mut(first)?.put(rest, value)?,
        }
        Some(())
    }

    /// An integer, as large as it may be.
    pub(super) fn to_int(&self) -> Option<BigInt> {
        match self {
            Val::Int(value) => Some(BigInt::from(*value)),
            Val::Big(value) => Some(BigInt::clone(value)),
            _ => None,
        }
    }

    /// Several indices, or the only one.
    pub(super) fn index(mut indices: Vec<Val>) -> Val {
        match indices.pop() {
            Some(only) if indices.is_empty() => only,
            Some(last) => {
                indices.push(last);
                Val::Tuple(Rc::new(indices))
            }
            None => Val::Tuple(Rc::default()),
        }
    }

    /// A value of the sort `sort` in this form; `None` if an index is a map.
    pub(super) fn of(value: &Value, sort: &Sort) -> Option<Val> {
        Some(match (value, sort) {
            (Value::Bool(value), _) => Val::Bool(*value),
            (Value::Int(value), _) => Val::int(value.clone()),
            (Value::BitVec(value, width), _) if *width <= 64 => Val::Bits(value.to_u64()?),
            (Value::Map(map), Sort::Map(sort)) => {
                if sort.domain.iter().any(Sort::has_maps) {
                    return None;
                }
                let mut result = Map::constant(Val::of(&map.default, &sort.range)?);
                for (index, value) in &map.entries {
                    let indices = index.iter().zip(&sort.domain);
                    let indices = indices.map(|(value, sort)| Val::of(value, sort));
                    let index = Val::index(indices.collect::<Option<_>>()?);
                    result.put(index, Val::of(value, &sort.range)?);
                }
                Val::Map(Rc::new(result))
            }
            (other, _) => Val::Other(Rc::new(other.clone())),
        })
    }

    /// The value of the sort `sort` that this stands for.
    pub(super) fn to_value(&self, sort: &Sort) -> Option<Value> {
        Some(match (self, sort) {
            (Val::Bool(value), _) => Value::Bool(*value),
            (Val::Int(value), _) => Value::int(*value),
            (Val::Big(value), _) => Value::Int(BigInt::clone(value)),
            (Val::Bits(value), Sort::BitVec(width)) => Value::BitVec((*value).into(), *width),
            (Val::Other(value), _) => Value::clone(value),
            (Val::Map(map), Sort::Map(sort)) => map.to_value(sort)?,
            _ => return None,
        })
    }

    /// Whether two values of the sort are equal; `None` if that is not known.
    pub(super) fn same(&self, other: &Val, sort: &Sort) -> Option<bool> {
        match (self, other) {
            (Val::Map(left), Val::Map(right)) if Rc::ptr_eq(left, right) => Some(true),
            (Val::Map(_), Val::Map(_)) => self.to_value(sort)?.same(&other.to_value(sort)?),
            (Val::Other(left), Val::Other(right)) => left.same(right),
            (Val::Open, _) | (_, Val::Open) => None,
            _ => Some(self == other),
        }
    }

    /// Whether two values are known to be equal without looking into maps.
    pub(super) fn is_obviously(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Map(left), Val::Map(right)) => Rc::ptr_eq(left, right),
            _ => self == other,
        }
    }
}

impl Map {
    fn to_value(&self, sort: &Arc<MapSort>) -> Option<Value> {
        let entry = |(index, value): (&Val, &Val)| {
            let key = match (index, &sort.domain[..]) {
                (index, [only]) => vec![index.to_value(only)?],
                (Val::Tuple(indices), domain) => {
                    let indices = indices.iter().zip(domain);
                    let indices = indices.map(|(index, sort)| index.to_value(sort));
                    indices.collect::<Option<Vec<Value>>>()?
                }
                _ => return None,
            };
            Some((key, value.to_value(&sort.range)?))
        };
        let (default, chosen) = match &self.base {
            Base::Value(value) => (value.to_value(&sort.range)?, Vec::new()),
            Base::Open(open) => {
                let chosen = open.chosen.borrow();
                let chosen: Option<Vec<_>> = chosen.iter().map(entry).collect();
                (Value::any_of(&sort.range)?, chosen?)
            }
        };
        let own: Option<Vec<_>> = self.entries.iter().map(entry).collect();
        Some(Value::Map(Arc::new(MapValue {
            domain: sort.domain.clone(),
            default,
            entries: chosen.into_iter().chain(own?).collect(),
        })))
    }
}
