//! The C front end of `ult`: a C program in, a typed Boogie program out.
//!
//! ```text
//! text --source--> plain text --parse--> syntax trees --elaborate--> ir --alias, encode--> typed Boogie program
//! ```
//!
//! | module | idea |
//! |---|---|
//! | [`types`] | C types, and how a data model lays them out in memory |
//! | [`ir`] | the typed program without C's surprises: conversions and side effects are explicit |
//! | [`source`] | C text made ready for the parser, every byte where it was |
//! | [`library`] | the part of the C library that is written in C |
//! | [`functions`] | what is known of functions by their names |
//! | [`parse`] | syntax trees, and several errors in one run |
//! | `elaborate` | names, types, conversions and side effects: from syntax trees to the typed program |
//! | [`caller`] | who calls the functions of a program without `main` |
//! | `travel` | integers in which addresses travel become pointers |
//! | `contexts` | small functions that handle pointers get a copy for each call |
//! | `arguments` | the strings that `main` gets in a run |
//! | [`print`] | the typed program as text |
//! | [`alias`] | which variables live in memory, which parts of memory never overlap; and a check of that |
//! | [`encode`] | from the typed program to Boogie |
//! | [`outline`] | where the statements of a program are |
//! | [`undefined`] | what C leaves undefined |
//! | [`options`] | what a translation is told, and what it gives |

pub mod alias;
mod arguments;
pub mod caller;
mod contexts;
mod elaborate;
pub mod encode;
pub mod functions;
pub mod ir;
pub mod library;
pub mod options;
pub mod outline;
pub mod parse;
pub mod print;
pub mod source;
mod translate;
mod travel;
pub mod types;
pub mod undefined;

pub use elaborate::elaborate;
pub use encode::UNCHECKED;
pub use options::{
    Coarse, Evaluation, IntegerEncoding, LEAVES, Locks, Members, Options, Properties, Refusal,
    SignedOverflow, Translation,
};
pub use translate::{translate, translate_completed};
