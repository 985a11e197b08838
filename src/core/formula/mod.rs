//! Formulas: immutable, hash-consed terms with sorts.
//!
//! A [`Terms`] store owns every term; a [`Term`] is a small handle into it, and two terms of one
//! store are equal exactly if their handles are. Terms are simplified as they are built
//! ([`build`]), printed as Boogie expressions ([`print`](mod@print)), evaluated on concrete
//! values ([`eval`]) and renamed without recursion ([`traverse`]), so that deep terms are safe.
//!
//! This room knows no solver, no program graph and no source text.
//!
//! Large blocks stay linear in the size of the program only because equal sub-formulas are shared. So no code may copy a
//! formula along edges.

pub mod bounds;
pub mod build;
mod compiled;
pub mod eval;
pub mod float;
pub mod linear;
pub mod lines;
mod literal;
pub mod print;
pub mod share;
pub mod sort;
mod sorted;
pub mod term;
pub mod traverse;
pub mod value;

#[cfg(test)]
mod tests;

pub use bounds::{Bound, Range, Relation};
pub use compiled::{Compiled, Evaluated};
pub use eval::{EvalError, Evaluator, Interpretation, eval};
pub use float::{Float, Format, Mode};
pub use share::Sharing;
pub use sort::{
    Constructor, ConstructorSort, DatatypeDeclaration, DatatypeSort, FieldSort, MapSort, Sort,
};
pub use term::{Binder, BinderKind, Builtin, BvOp, Function, Node, Op, Term, Terms, Var, Version};
pub use value::{ConstructValue, Entries, FunctionValue, MapValue, Value};
