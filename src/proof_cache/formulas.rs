//! Several formulas, as text and back.

use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms};

use super::read::Reader;
use super::scope::Scope;
use super::write::Writer;
use super::{Corrupt, MAX_ENTRY};

/// Formulas over unprimed variables as a text; `None` if they have no such form, or would be too long.
pub fn write(terms: &Terms, formulas: &[Term]) -> Option<String> {
    let mut writer = Writer::new(terms);
    for &formula in formulas {
        let number = writer.term(formula).ok()?.to_string();
        writer.line(&["formula", &number]).ok()?;
    }
    writer.finish().ok()
}

/// The formulas in a text, over the variables and the symbols of the scope.
///
/// # Errors
/// If that is not what the text is.
pub fn read(
    terms: &Terms,
    scope: &Scope,
    text: &str,
    control: &Control,
) -> Result<Vec<Term>, Corrupt> {
    if text.len() > MAX_ENTRY {
        return Err(Corrupt::new("it is too long"));
    }
    let mut reader = Reader::new(terms, scope, control, text.len());
    let mut formulas = Vec::new();
    for line in text.split_terminator('\n') {
        let Some((word, mut words)) = reader.line(line)? else {
            continue;
        };
        let formula = match word {
            "formula" => reader.term(words.number()?)?,
            _ => return Err(Corrupt::new("an unknown kind of line")),
        };
        words.end()?;
        if *terms.sort(formula) != Sort::Bool {
            return Err(Corrupt::new("a formula that is none"));
        }
        formulas.push(formula);
    }
    Ok(formulas)
}
