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
//! | [`syntax`] | syntax trees |
//! | [`parse`] | from text to trees, and several errors in one run |
//! | `elaborate` | names, types, conversions and side effects: from syntax trees to the typed program |
//! | [`caller`] | who calls the functions of a program without `main` |
//! | `int_to_pointer` | integers in which addresses travel become pointers |
//! | `cloning` | small functions that handle pointers get a copy for each call |
//! | `arguments` | the strings that `main` gets in a run |
//! | [`print`] | the typed program as text |
//! | [`alias`] | which variables live in memory, which parts of memory never overlap; and a check of that |
//! | [`encode`] | from the typed program to Boogie |
//! | [`outline`] | where the statements of a program are |
//! | [`undefined`] | what C leaves undefined |
//! | [`options`] | what a translation is told, and what it gives |
//!
//! What a proof about C rests on:
//!
//! * *The points-to analysis is a claim.* `alias/verify.rs` only reads the finished solution and checks that it covers every
//!   flow. It shares with the analysis only the table of functions and facts of the typed program. If it finds a flow that
//!   the solution misses, nothing is translated, and the verdict is UNKNOWN.
//! * *Gaps are assertions.* Where the translation does not cover something, it says so by an assertion, and
//!   `Translation::has_gaps` is set. Then an over-approximation (`encode/overapprox.rs`) is tried for proofs only.
//! * *What C leaves undefined* is named in one place, [`undefined`], with the property that checks it. `encode/assumptions.rs`
//!   prints what is assumed with the verdict.
//!
//! Memory is divided into *regions*, each a variable of its own. A region that several objects share is a map of maps: by
//! object, then by offset. So one assignment copies an object and a constant map zeroes it, without a quantifier.
//!
//! All places are those of the user's text, so that traces, invariants and messages are about C. Names that the translation made
//! up contain `~`, and reports leave them out.

pub mod alias;
mod arguments;
pub mod caller;
mod cloning;
mod elaborate;
pub mod encode;
pub mod functions;
mod int_to_pointer;
pub mod ir;
pub mod library;
pub mod options;
pub mod outline;
pub mod parse;
pub mod print;
pub mod source;
pub mod syntax;
mod translate;
pub mod translation;
pub mod types;
pub mod undefined;

pub use elaborate::elaborate;
pub use encode::UNCHECKED;
pub use options::{
    Evaluation, IntegerEncoding, Locks, Members, Options, Overapprox, Properties, SignedOverflow,
};
pub use translate::{translate, translate_completed};
pub use translation::{LEAVES, Refusal, Translation};
