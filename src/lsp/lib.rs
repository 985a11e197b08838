//! The language server: what an editor shows while a program is being written.
//!
//! One loop ([`server`]) reacts to one kind of events ([`event`]): what the client says, and what threads have found
//! out. Its state is the database of the front end's queries, so that an edit recomputes only what depends on it, and
//! the open documents with the verdicts on them. Questions about the text are answered on the loop's thread, in
//! milliseconds. Checks run on threads of their own ([`checks`]), call the function that the command line calls, and
//! never keep the loop waiting; neither does a check that does not stop when it is asked to.
//!
//! An edit makes verdicts, invariants and runs meaningless: they disappear until the next check.
//!
//! | file | idea |
//! |---|---|
//! | [`server`] | the loop |
//! | `commands` | what the user asks for, and the checks under way |
//! | `questions` | who answers what about a text |
//! | [`setup`] | what the command line says |
//! | `transport` | the way to the client, also past what is no message |
//! | [`capabilities`] | what the server offers |
//! | [`client`] | what the client can do, and the way to it |
//! | [`document`], [`position`] | texts, edits, places |
//! | [`checks`], [`verdicts`] | checks under way, and what they found out |
//! | [`diagnostics`] | messages and verdicts as diagnostics |
//! | [`hints`] | invariants, values and verdicts in the text |
//! | [`fixes`], [`insertions`] | quick fixes; inferred invariants as edits |
//! | [`navigation`] | definitions, references, renaming |
//! | [`hover`], [`completion`] | about the place under the mouse, or the cursor |
//! | [`symbols`], [`workspace`] | outline, folding; what is declared in all files of the folders |
//! | [`colors`], [`formatting`] | semantic tokens; layout |

pub mod capabilities;
pub mod checks;
pub mod client;
pub mod colors;
mod commands;
pub mod completion;
pub mod diagnostics;
pub mod document;
pub mod event;
pub mod fixes;
pub mod formatting;
pub mod hints;
pub mod hover;
pub mod insertions;
pub mod navigation;
pub mod position;
mod questions;
pub mod server;
pub mod setup;
pub mod symbols;
mod transport;
pub mod verdicts;
pub mod workspace;

pub use server::run;
pub use setup::Setup;
