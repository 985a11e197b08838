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

    /// The types directly inside of this one, in order: the arguments, or the indices of a map and then its elements.
    pub fn parts(&self) -> impl Iterator<Item = &Type> {
        let (args, range): (&[Type], Option<&Type>) = match self {
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::BitVec(_)
            | Type::Float { .. }
            | Type::String
            | Type::Regex
            | Type::RoundingMode
            | Type::Var(_)
            | Type::Error => (&[], None),
            Type::Constructor(_, args) | Type::Datatype(_, args) => (args, None),
            Type::Map(map) => (&map.domain, Some(&map.range)),
        };
        args.iter().chain(range)
    }

    /// The type with other [`Type::parts`]; `None` if one of them is `None`. What a map type binds stays.
    pub fn try_map_parts(&self, f: &mut dyn FnMut(&Type) -> Option<Type>) -> Option<Type> {
        Some(match self {
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::BitVec(_)
            | Type::Float { .. }
            | Type::String
            | Type::Regex
            | Type::RoundingMode
            | Type::Var(_)
            | Type::Error => self.clone(),
            Type::Constructor(id, args) => {
                Type::Constructor(*id, args.iter().map(f).collect::<Option<_>>()?)
            }
            Type::Datatype(id, args) => {
                Type::Datatype(*id, args.iter().map(f).collect::<Option<_>>()?)
            }
            Type::Map(map) => Type::Map(Box::new(MapType {
                type_params: map.type_params.clone(),
                domain: map.domain.iter().map(&mut *f).collect::<Option<_>>()?,
                range: f(&map.range)?,
            })),
        })
    }

    /// The type with other [`Type::parts`]. What a map type binds stays.
    pub fn map_parts(&self, f: &mut dyn FnMut(&Type) -> Type) -> Type {
        self.try_map_parts(&mut |part| Some(f(part)))
            .unwrap_or(Type::Error)
    }
}
