//! Identifiers with characters that the parser does not know: letters beyond ASCII, as such or as universal character names
//! (`\u00e4`, C11 6.4.3), and dollar signs, as gcc allows. For the parser they are spelt out in ASCII.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ult_lang::diagnostic::Diagnostic;

/// What stands before and behind a character's number in hexadecimal digits.
const BEFORE: &str = "__ucn_";
const BEHIND: char = '_';

/// Spells identifiers in ASCII, and sees to it that different ones stay different.
#[derive(Default)]
pub(super) struct Spelling {
    /// What was spelt so.
    known: BTreeMap<String, String>,
}

impl Spelling {
    /// The identifier in ASCII. None if it is one already, or no identifier.
    ///
    /// # Errors
    /// When another identifier of the program is called like that.
    pub(super) fn ascii(&mut self, word: &str) -> Result<Option<String>, ()> {
        let is_plain = !word.contains(|c: char| !c.is_ascii() || matches!(c, '\\' | '$'));
        if is_plain && !word.contains(BEFORE) {
            return Ok(None);
        }
        let Some(name) = decoded(word).filter(|name| is_name(name)) else {
            return Ok(None);
        };
        let mut ascii = String::new();
        for c in name.chars() {
            match c {
                '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' => ascii.push(c),
                _ => ascii += &format!("{BEFORE}{:x}{BEHIND}", u32::from(c)),
            }
        }
        match self.known.insert(ascii.clone(), name.clone()) {
            Some(other) if other != name => Err(()),
            _ => Ok((!is_plain).then_some(ascii)),
        }
    }
}

/// With characters in the place of universal character names.
fn decoded(word: &str) -> Option<String> {
    let mut name = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('\\') {
        name += &rest[..at];
        let length = universal(&rest.as_bytes()[at..])?;
        let digits = rest.get(at + 2..at + length)?;
        name.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        rest = &rest[at + length..];
    }
    name += rest;
    Some(name)
}

/// The length of the universal character name that begins here.
pub(super) fn universal(bytes: &[u8]) -> Option<usize> {
    let length = match bytes.get(..2)? {
        b"\\u" => 6,
        b"\\U" => 10,
        _ => return None,
    };
    let digits = bytes.get(2..length)?;
    digits.iter().all(u8::is_ascii_hexdigit).then_some(length)
}

/// Whether gcc takes it for an identifier too.
fn is_name(word: &str) -> bool {
    use unicode_ident::{is_xid_continue, is_xid_start};
    let mut letters = word.chars();
    letters
        .next()
        .is_some_and(|c| matches!(c, '_' | '$') || is_xid_start(c))
        && letters.all(|c| c == '$' || is_xid_continue(c))
}

/// A text with the identifiers as they were written.
pub fn written(text: &str) -> Cow<'_, str> {
    if !text.contains(BEFORE) {
        return text.into();
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(BEFORE) {
        out += &rest[..at];
        let behind = &rest[at + BEFORE.len()..];
        let letter = behind.split_once(BEHIND).and_then(|(digits, behind)| {
            let letter = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            (!letter.is_ascii() || letter == '$').then_some((letter, behind))
        });
        match letter {
            Some((letter, behind)) => {
                out.push(letter);
                rest = behind;
            }
            None => {
                out += BEFORE;
                rest = behind;
            }
        }
    }
    out += rest;
    out.into()
}

/// A message with the identifiers as they were written.
pub(crate) fn told(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic {
        message: written(&diagnostic.message).into_owned(),
        labels: diagnostic
            .labels
            .into_iter()
            .map(|(place, label)| (place, written(&label).into_owned()))
            .collect(),
        help: diagnostic.help.map(|help| written(&help).into_owned()),
        ..diagnostic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_spelt_out_and_back() {
        for (word, ascii, name) in [
            (
                "gr\u{f6}\u{df}e",
                "gr__ucn_f6___ucn_df_e",
                "gr\u{f6}\u{df}e",
            ),
            (
                "gr\\u00f6\\U000000dfe",
                "gr__ucn_f6___ucn_df_e",
                "gr\u{f6}\u{df}e",
            ),
            ("a$", "a__ucn_24_", "a$"),
        ] {
            let mut spelling = Spelling::default();
            assert_eq!(spelling.ascii(word), Ok(Some(ascii.to_owned())));
            assert_eq!(
                written(&format!("the function `{ascii}`")),
                format!("the function `{name}`")
            );
        }
        let mut spelling = Spelling::default();
        for word in [
            "plain", "\u{2192}", "a\\u00", "a\\ud800", "1\u{e4}", "__ucn_e4",
        ] {
            assert_eq!(spelling.ascii(word), Ok(None), "{word}");
        }
        assert_eq!(written("__ucn_41_ __ucn_x_"), "__ucn_41_ __ucn_x_");
    }

    #[test]
    fn different_identifiers_stay_different() {
        let mut spelling = Spelling::default();
        assert!(spelling.ascii("\u{e4}").is_ok());
        assert_eq!(spelling.ascii("__ucn_e4_"), Err(()));
    }
}
