//! SV-LIB 1.0 as typed programs.
//!
//! SV-LIB (Beyer, Ernst, Jonáš, Lingsch-Rosenfeld: "SV-LIB 1.0: A Standard Exchange Format for Software-Verification
//! Tasks", arXiv 2511.21509) extends SMT-LIB by procedures, statements and properties. Its terms become expressions of
//! the typed program, so that calls, runs and messages come from what there is for Boogie.
//!
//! | file | idea |
//! |---|---|
//! | [`reader`] | what a text has said so far |
//! | [`script`] | commands |
//! | [`statements`] | statements, and what is annotated to them |
//! | [`declarations`] | what SMT-LIB declares and defines |
//! | [`sorts`], [`terms`], [`operators`] | sorts and terms |
//! | [`literals`] | literals |
//! | [`names`] | what names mean |
//! | [`program`] | programs with every name and sort resolved |
//! | [`trace`] | `select-trace`: a run as a restriction |
//! | [`flow`] | what statements change, and where control flows in circles |
//! | [`emit`] | to typed programs |
//! | [`export`] | program graphs as programs in SV-LIB |
//! | [`print`] | sorts as text |
//! | [`witness`] | a witness put into its program |
//!
//! Annotations are specifications. [`emit`] writes out as statements what a loop with an invariant or a call with a contract may
//! do, so that lowering and the checker need not know of them. A `select-trace` becomes a counter of steps with assumptions at
//! the choices. Only its own violation is asked for, and no proof comes of it.

mod declarations;
mod emit;
pub mod export;
mod flow;
mod literals;
mod names;
mod operators;
mod print;
mod program;
mod reader;
mod script;
mod select_trace;
mod sorts;
mod statements;
mod terms;
mod trace;
pub mod witness;

#[cfg(test)]
mod tests;

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::hir;
use ult_lang::span::Span;
use ult_smtlib::sexpr::Exprs;

use crate::reader::Reader;

/// What a text says.
#[derive(Debug, Default)]
pub struct Translation {
    /// The program. Without meaning if there are errors.
    pub program: hir::Program,
    /// The procedures to verify: one for each `verify-call`, and those whose contracts they rely on.
    pub entries: Vec<String>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// The typed program of a text in SV-LIB, and messages about the text. Nobody may draw a verdict from a text with errors.
pub fn translate(text: &str) -> Translation {
    let (exprs, commands, wrong) = Exprs::read_all(text);
    let mut reader = Reader::new(&exprs);
    for unreadable in &wrong {
        let span = Span::from(unreadable.place.clone());
        let message = "this is no SV-LIB";
        reader
            .messages
            .error(Id::SVLIB_SYNTAX, message, span, unreadable.what);
    }
    reader.script(&commands);
    let diagnostics = std::mem::take(&mut reader.messages).finish();
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Translation {
            diagnostics,
            ..Translation::default()
        };
    }
    let emit::Emitted { program, entries } = emit::emit(&reader);
    Translation {
        program,
        entries,
        diagnostics,
    }
}
