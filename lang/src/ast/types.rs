//! Types.

use super::Ident;
use crate::span::Span;
use crate::stack::ensure_stack;

/// A type.
#[derive(Debug)]
pub struct Type {
    /// Which type.
    pub kind: TypeKind,
    /// Where it stands, enclosing parentheses included.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// `bv8`: bit-vectors of a width, which may be 0.
    BitVector(u32),
    /// `float24e8`: floating-point numbers.
    Float(FloatFormat),
    /// A name with arguments: a type constructor, synonym, datatype or type variable. Also the built-in names `string`,
    /// `regex` and `rmode`, because Boogie does not reserve them.
    Named {
        /// The constructor.
        name: Ident,
        /// Its arguments.
        args: Vec<Type>,
    },
    /// `<a, b>[T, U]V`
    Map {
        /// The type variables that the map type binds.
        params: Vec<Ident>,
        /// The types of the indices; may be empty.
        domain: Vec<Type>,
        /// The type of the elements.
        range: Box<Type>,
    },
    /// What was written is no type; a diagnostic says so.
    Error,
}

/// A format of floating-point numbers, `float<significand>e<exponent>`, as in SMT-LIB's `(_ FloatingPoint e s)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatFormat {
    /// Number of bits of the significand, the hidden bit included.
    pub significand: u32,
    /// Number of bits of the exponent.
    pub exponent: u32,
}

impl Type {
    /// The type at the place.
    pub fn new(kind: TypeKind, span: Span) -> Type {
        Type { kind, span }
    }
}

impl Clone for Type {
    fn clone(&self) -> Type {
        ensure_stack(|| Type {
            kind: self.kind.clone(),
            span: self.span,
        })
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        self.span == other.span && ensure_stack(|| self.kind == other.kind)
    }
}

impl Eq for Type {}

impl Drop for Type {
    fn drop(&mut self) {
        if matches!(self.kind, TypeKind::Named { .. } | TypeKind::Map { .. }) {
            let kind = std::mem::replace(&mut self.kind, TypeKind::Error);
            ensure_stack(|| drop(kind));
        }
    }
}
