//! Syntax trees to the typed program.

use lang_c::ast::TranslationUnit;
use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use crate::ir::Program;
use crate::types::DataModel;

/// The typed program of a translation unit.
pub fn elaborate(_unit: &TranslationUnit, model: DataModel) -> (Program, Vec<Diagnostic>) {
    let program = Program {
        model,
        ..Program::default()
    };
    let error = Diagnostic::error(
        Id::C_SYNTAX,
        "C is parsed and not more yet",
        Span::new(0, 0),
        "this file",
    );
    (program, vec![error])
}
