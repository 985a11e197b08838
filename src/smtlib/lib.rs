//! SMT-LIB as text: s-expressions, terms there and back, and the theories' operators by name. No solver.
//!
//! | file | idea |
//! |---|---|
//! | [`sexpr`] | s-expressions with their places |
//! | [`theory`] | the operators of the theories, applied to terms |
//! | [`print`] | terms and sorts as text |
//! | [`read`] | text as terms over declared symbols |
//! | `float`, [`sequences`] | the names of functions on floating-point numbers and on sequences |

mod float;
pub mod print;
pub mod read;
pub mod sequences;
pub mod sexpr;
pub mod theory;

use thiserror::Error;

/// What SMT-LIB cannot say, or what is not read here, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unsupported: {0}")]
pub struct Unsupported(pub String);
