//! What is said of a measurement.

use crate::machine;

/// When it was made, of which commit, where, and what the runner was told.
pub(crate) fn context() -> [(&'static str, String); 4] {
    let words: Vec<String> = std::env::args().skip(1).collect();
    [
        ("date", machine::date()),
        ("commit", machine::commit()),
        ("machine", machine::machine()),
        ("arguments", words.join(" ")),
    ]
}
