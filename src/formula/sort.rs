//! The sorts of terms.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;

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

impl Sort {
    /// The sort of maps from `domain` to `range`.
    pub fn map(domain: Vec<Sort>, range: Sort) -> Sort {
        Sort::Map(Arc::new(MapSort { domain, range }))
    }

    /// The number of values, where it is finite and known.
    pub fn cardinality(&self) -> Option<BigUint> {
        match self {
            Sort::Bool => Some(BigUint::from(2u32)),
            Sort::BitVec(width) => Some(BigUint::from(1u32) << *width),
            Sort::RoundingMode => Some(BigUint::from(5u32)),
            Sort::Int | Sort::Real | Sort::Float(..) | Sort::Map(_) | Sort::Uninterpreted(_) => {
                None
            }
        }
    }

    /// Whether the arithmetic operators apply.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
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
            Sort::Uninterpreted(name) => f.write_str(name),
        }
    }
}
