//! Variables and functions as the user calls them.

use ult_lower::unit::Displayed;

/// A variable as it is called from within the unit `inside`.
pub fn qualified(displayed: &Displayed, inside: &str) -> String {
    match (&displayed.procedure, displayed.old) {
        (_, true) => format!("old({})", displayed.name),
        (Some(procedure), false) if **procedure != *inside => {
            format!("{procedure}.{}", displayed.name)
        }
        _ => displayed.name.to_string(),
    }
}

/// Whether a variable of a translated program is one that the user wrote.
pub fn is_users(name: &str) -> bool {
    !name.contains('~')
}

/// A variable as the user calls it: those of the same name are told apart by a number.
pub fn users_name(name: &str) -> String {
    match name.split_once('#') {
        Some((start, rest)) => {
            let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{start}{behind}")
        }
        None => name.to_owned(),
    }
}

/// A variable as it is called inside of a function: the translation makes globals of local variables whose address is taken, with
/// the function's name before their own.
pub(crate) fn within<'n>(function: &str, name: &'n str) -> &'n str {
    let own = name.strip_prefix(function);
    own.and_then(|rest| rest.strip_prefix('.')).unwrap_or(name)
}

/// A variable of a function of the C library: what it is called there means nothing to people.
pub(crate) fn inside(name: &str) -> String {
    format!("^{name}")
}

/// Whether a variable is one of a function of the C library.
pub(crate) fn is_inside(name: &str) -> bool {
    name.starts_with('^')
}

/// Whether a variable of a translated program is memory without a name.
pub(crate) fn is_memory(name: &str) -> bool {
    (name.starts_with("heap~") || name.starts_with("memory~")) && !name.contains('.')
}
