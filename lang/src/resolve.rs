//! Names: which declaration a name means.
//!
//! [`environment::Environment`] knows everything that the declarations of a text announce to each other: the names,
//! ids and signatures, but no bodies. It is built from the declarations' heads alone ([`declare()`]), so that an edit
//! inside a body leaves it equal, and whoever depends on it need not run again.

mod counts;
pub mod declare;
pub mod environment;
pub mod message;
mod old_datatypes;
pub mod suggest;
mod synonyms;
pub mod types;

pub use declare::declare;
pub use environment::Environment;
pub use message::{Message, Place};
