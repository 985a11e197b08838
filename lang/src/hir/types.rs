//! Types, with synonyms expanded.

use super::{DatatypeId, TypeId, TypeVarId};

/// A type of the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Mathematical reals.
    Real,
    /// Bit-vectors of the given width; width 0 is allowed, as in Boogie.
    BitVec(u32),
    /// IEEE 754 floating point numbers, `float24e8` and the like.
    Float {
        /// Bits of the significand, the hidden one included.
        significand: u32,
        /// Bits of the exponent.
        exponent: u32,
    },
    /// Character strings.
    String,
    /// Regular expressions over strings.
    Regex,
    /// The rounding modes of floating point arithmetic, `rmode`.
    RoundingMode,
    /// An uninterpreted type constructor with its arguments.
    Constructor(TypeId, Vec<Type>),
    /// A datatype with its arguments.
    Datatype(DatatypeId, Vec<Type>),
    /// A map.
    Map(Box<MapType>),
    /// A type parameter that is in scope.
    Var(TypeVarId),
    /// The type of an expression with an error; it fits everywhere, so that one mistake is reported once.
    Error,
}

/// The type of maps `<a, b>[D1, D2]R`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MapType {
    /// The type parameters of a polymorphic map; empty for an ordinary one. They are numbered by the nesting of binders
    /// and the order of first occurrence, so that types which differ in the names of their parameters only are equal.
    /// (These ids are thus not unique in the program; they mean something inside this type only.)
    pub type_params: Vec<TypeVarId>,
    /// The types of the indices, in order; may be empty.
    pub domain: Vec<Type>,
    /// The type of the elements.
    pub range: Type,
}

impl Type {
    /// A monomorphic map type.
    pub fn map(domain: Vec<Type>, range: Type) -> Type {
        Type::Map(Box::new(MapType {
            type_params: Vec::new(),
            domain,
            range,
        }))
    }

    /// Whether the type is one of numbers: `int`, `real` or a float.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Type::Int | Type::Real | Type::Float { .. })
    }
}
