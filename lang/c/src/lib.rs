//! The C front end of `ult`: a C program in, a Boogie program out.
//!
//! ```text
//! text --source--> plain text --parse--> syntax trees --elaborate--> ir --alias, encode--> Boogie text and places
//! ```
//!
//! | module | idea |
//! |---|---|
//! | [`types`] | C types, and how a data model lays them out in memory |
//! | [`ir`] | the typed program without C's surprises: conversions and side effects are explicit |
//! | `elaborate` | names, types, conversions and side effects: from syntax trees to the typed program |
//! | [`print`] | the typed program as text |
//! | [`options`] | what a translation is told, and what it gives |

mod elaborate;
pub mod ir;
pub mod options;
pub mod print;
pub mod types;

pub use elaborate::elaborate;
pub use options::{IntegerEncoding, Options, Properties, SignedOverflow, Translation};
