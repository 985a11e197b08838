//! All steps together.

use ult_lang::diagnostic::Diagnostic;

use crate::options::{Options, Translation};
use crate::parse::parse;

/// Translates a preprocessed text to Boogie.
///
/// # Errors
/// The diagnostics, if one of them is an error.
pub fn translate(text: &str, options: &Options) -> Result<Translation, Vec<Diagnostic>> {
    let parsed = parse(text);
    let mut diagnostics = parsed.diagnostics;
    let (program, more) = crate::elaborate::elaborate(&parsed.unit, options.model);
    diagnostics.extend(more);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let mut translation = crate::encode::encode(&program, options);
    diagnostics.append(&mut translation.diagnostics);
    translation.diagnostics = diagnostics;
    if translation.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(translation.diagnostics);
    }
    Ok(translation)
}
