//! Sequences, strings and regular languages: the names of SMT-LIB's functions.

use ult_core::formula::{Builtin, Sort};

/// The characters of a string literal, whose name is SMT-LIB's text for it.
pub fn literal(name: &str) -> Option<&str> {
    let characters = name.strip_prefix('"')?.strip_suffix('"')?;
    let plain = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\');
    characters.chars().all(plain).then_some(characters)
}

/// Whether a function known by name is about sequences, strings or regular languages.
pub fn is_known(name: &str) -> bool {
    name.starts_with('"')
        || ["seq.", "str.", "re."]
            .iter()
            .any(|start| name.starts_with(start))
}

/// How a function on sequences is written in SMT-LIB, given the text of its result's sort; `None` if it is none.
pub(crate) fn smtlib_name(builtin: &Builtin, result: &str) -> Option<String> {
    let name = &*builtin.name;
    if !is_known(name) || (name.starts_with('"') && literal(name).is_none()) {
        return None;
    }
    match (name, &builtin.indices[..], &builtin.result) {
        ("seq.empty", [], Sort::Seq(_)) => Some(format!("(as seq.empty {result})")),
        (_, [], _) => Some(name.to_owned()),
        ("re.loop", [low, high], _) => Some(format!("(_ re.loop {low} {high})")),
        _ => None,
    }
}
