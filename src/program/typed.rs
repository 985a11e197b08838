//! From a text in Boogie or C to a typed program.

use ult_c::Refusal;
use ult_lang::diagnostic::Diagnostic;
use ult_lang::hir;

use super::Language;
use super::result::Basis;
use crate::lower::Options as Reading;
use crate::reason::Reason;

/// What a text says.
#[derive(Debug)]
pub struct Typed {
    /// The program. Its places are those of the text. Without meaning if the diagnostics contain an error.
    pub program: hir::Program,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What a verdict rests on besides the program.
    pub basis: Basis,
}

/// In C, the entries are functions that somebody outside calls, which the translator is told.
pub fn lead_entries(language: Language, reading: &mut Reading, options: &mut ult_c::Options) {
    if language == Language::C {
        options.entries = std::mem::take(&mut reading.entries);
    }
}

/// Reads a program, and translates it to Boogie if it is in C.
///
/// # Errors
/// [`Reason::Internal`] if the translation of a C program is no Boogie program: a bug of the translator.
pub fn program(text: &str, language: Language, options: &ult_c::Options) -> Result<Typed, Reason> {
    if language != Language::C {
        let (program, diagnostics) = ult_lang::analyze_boogie(text);
        return Ok(Typed {
            program,
            diagnostics,
            basis: Basis::default(),
        });
    }
    match ult_c::translate(text, options) {
        Ok(translation) => Ok(Typed {
            program: translation.program,
            diagnostics: translation.diagnostics,
            basis: Basis {
                assumptions: translation.assumptions,
                unknown_functions: translation.unknown_functions,
            },
        }),
        Err(Refusal::Rejected(diagnostics)) => Ok(Typed {
            program: hir::Program::default(),
            diagnostics,
            basis: Basis::default(),
        }),
        Err(Refusal::Internal(mistake)) => Err(Reason::Internal(format!(
            "the translation from C is no Boogie program: {mistake}"
        ))),
    }
}
