//! The sorts of terms.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

/// The sort of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Mathematical reals.
    Real,
    /// Bit-vectors of the given width in bits. A width of 0 is allowed by Boogie, not by solvers.
    BitVec(u32),
    /// IEEE floating point with the given exponent and significand widths (hidden bit included).
    Float(u32, u32),
    /// The rounding modes of IEEE floating point.
    RoundingMode,
    /// Total maps, extensional.
    Map(Arc<MapSort>),
    /// Finite sequences of elements of a sort, as in SMT-LIB's theory of sequences. Solvers know them; there are no
    /// values of them here, so nothing about them is evaluated.
    Seq(Arc<Sort>),
    /// SMT-LIB's strings; as [`Sort::Seq`] without values.
    String,
    /// Regular languages of strings; as [`Sort::Seq`] without values.
    RegEx,
    /// Values made by constructors; see [`DatatypeSort`].
    Datatype(Arc<DatatypeSort>),
    /// An uninterpreted sort. The name is the whole name, type arguments included.
    Uninterpreted(Arc<str>),
}

/// Argument and result sorts of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapSort {
    /// One sort per index; never empty.
    pub domain: Vec<Sort>,
    /// The sort of the elements.
    pub range: Sort,
}

/// A datatype: each value is made by exactly one of the constructors, from exactly one list of
/// fields. No field contains values of the datatype itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DatatypeSort {
    /// The name, unique among the sorts of one program, type arguments included.
    pub name: Arc<str>,
    /// At least one.
    pub constructors: Vec<ConstructorSort>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstructorSort {
    /// The name, unique within the datatype.
    pub name: Arc<str>,
    /// Names and sorts of the fields, in order.
    pub fields: Vec<(Arc<str>, Sort)>,
}

impl DatatypeSort {
    /// The sort of a field; `None` if there is none with these numbers.
    pub fn field(&self, constructor: u32, field: u32) -> Option<&Sort> {
        let constructor = self.constructors.get(constructor as usize)?;
        Some(&constructor.fields.get(field as usize)?.1)
    }
}

impl Sort {
    /// The sort and all sorts that it is made of, each before its parts. A datatype is opened once.
    pub fn parts(&self) -> impl Iterator<Item = &Sort> {
        let mut waiting = vec![self];
        let mut opened: HashSet<&str> = HashSet::new();
        std::iter::from_fn(move || {
            let sort = waiting.pop()?;
            match sort {
                Sort::Map(map) => {
                    waiting.push(&map.range);
                    waiting.extend(map.domain.iter().rev());
                }
                Sort::Seq(element) => waiting.push(element),
                Sort::Datatype(datatype) if opened.insert(&datatype.name) => {
                    let fields = datatype.constructors.iter().flat_map(|c| &c.fields);
                    waiting.extend(fields.map(|(_, sort)| sort));
                }
                Sort::Datatype(_)
                | Sort::Bool
                | Sort::Int
                | Sort::Real
                | Sort::BitVec(_)
                | Sort::Float(..)
                | Sort::RoundingMode
                | Sort::String
                | Sort::RegEx
                | Sort::Uninterpreted(_) => {}
            }
            Some(sort)
        })
    }

    /// Whether values of the sort are maps or contain some: one such value can be written in
    /// several ways.
    pub fn has_maps(&self) -> bool {
        match self {
            Sort::Map(_) => true,
            Sort::Seq(element) => element.has_maps(),
            Sort::Datatype(datatype) => datatype
                .constructors
                .iter()
                .flat_map(|constructor| &constructor.fields)
                .any(|(_, sort)| sort.has_maps()),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::BitVec(_)
            | Sort::Float(..)
            | Sort::RoundingMode
            | Sort::String
            | Sort::RegEx
            | Sort::Uninterpreted(_) => false,
        }
    }

    /// Whether values of the sort are or contain maps whose indices are or contain maps: one index
    /// can then be written in several ways.
    pub fn is_indexed_by_maps(&self) -> bool {
        match self {
            Sort::Map(map) => {
                map.domain.iter().any(Sort::has_maps) || map.range.is_indexed_by_maps()
            }
            Sort::Seq(element) => element.is_indexed_by_maps(),
            Sort::Datatype(datatype) => datatype
                .constructors
                .iter()
                .flat_map(|constructor| &constructor.fields)
                .any(|(_, sort)| sort.is_indexed_by_maps()),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::BitVec(_)
            | Sort::Float(..)
            | Sort::RoundingMode
            | Sort::String
            | Sort::RegEx
            | Sort::Uninterpreted(_) => false,
        }
    }

    /// Whether floating-point numbers, or their rounding modes, are among its values or parts of them.
    pub fn has_floats(&self) -> bool {
        self.parts()
            .any(|part| matches!(part, Sort::Float(..) | Sort::RoundingMode))
    }

    /// Whether sequences, strings or regular languages are among its values or parts of them.
    pub fn has_sequences(&self) -> bool {
        self.parts()
            .any(|part| matches!(part, Sort::Seq(_) | Sort::String | Sort::RegEx))
    }

    /// The sort of maps from `domain` to `range`.
    pub fn map(domain: Vec<Sort>, range: Sort) -> Sort {
        Sort::Map(Arc::new(MapSort { domain, range }))
    }

    /// The number of values, where it is finite and known. A number of maps is known up to [`MOST_BITS`].
    pub fn cardinality(&self) -> Option<BigUint> {
        match self {
            Sort::Bool => Some(BigUint::from(2u32)),
            Sort::BitVec(width) => Some(BigUint::from(1u32) << *width),
            // Of the patterns of bits with the largest exponent, two are infinite, and all others are one value.
            Sort::Float(exponent, significand) => {
                let exponents = (BigUint::from(1u32) << *exponent) - 1u32;
                Some((exponents << *significand) + 3u32)
            }
            Sort::Map(map) => {
                let range = map.range.cardinality()?;
                // Whatever the indices are.
                if range == BigUint::from(1u32) {
                    return Some(range);
                }
                let sizes = map.domain.iter().map(Sort::cardinality);
                power(range, &sizes.product::<Option<BigUint>>()?)
            }
            Sort::RoundingMode => Some(BigUint::from(5u32)),
            Sort::Datatype(datatype) => datatype
                .constructors
                .iter()
                .map(|constructor| {
                    let sizes = constructor
                        .fields
                        .iter()
                        .map(|(_, sort)| sort.cardinality());
                    sizes.product::<Option<BigUint>>()
                })
                .sum(),
            Sort::Int
            | Sort::Real
            | Sort::Seq(_)
            | Sort::String
            | Sort::RegEx
            | Sort::Uninterpreted(_) => None,
        }
    }

    /// Whether the arithmetic operators apply.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

/// Nobody writes down as many maps as there are with more bits than this.
const MOST_BITS: u64 = 1 << 10;

/// A power, if it has few bits.
fn power(base: BigUint, exponent: &BigUint) -> Option<BigUint> {
    let bits = exponent.to_u64()?.checked_mul(base.bits())?;
    let exponent = exponent.to_u32()?;
    (bits <= MOST_BITS).then(|| base.pow(exponent))
}

impl fmt::Display for Sort {
    /// Boogie's notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Int => f.write_str("int"),
            Sort::Real => f.write_str("real"),
            Sort::BitVec(width) => write!(f, "bv{width}"),
            Sort::Float(exponent, significand) => write!(f, "float{significand}e{exponent}"),
            Sort::RoundingMode => f.write_str("rmode"),
            Sort::Map(map) => {
                f.write_str("[")?;
                for (i, sort) in map.domain.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{sort}")?;
                }
                write!(f, "]{}", map.range)
            }
            Sort::Seq(element) => match **element {
                Sort::Seq(_) => write!(f, "Seq ({element})"),
                _ => write!(f, "Seq {element}"),
            },
            Sort::String => f.write_str("string"),
            Sort::RegEx => f.write_str("regex"),
            Sort::Datatype(datatype) => f.write_str(&datatype.name),
            Sort::Uninterpreted(name) => f.write_str(name),
        }
    }
}
