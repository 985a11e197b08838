//! Line markers: which file and line a piece of preprocessed text comes from (C11 6.10.4, and the form that
//! preprocessors write: `# 12 "file.h" 2`).

use std::sync::Arc;

pub use ult_lang::span::Marker;

use super::words;

/// A directive of the preprocessor.
#[derive(Debug, PartialEq, Eq)]
pub enum Directive {
    /// A line marker.
    Marker {
        /// The number of the next line.
        line: u32,
        /// The file.
        file: Option<Arc<str>>,
    },
    /// `#pragma ult unit`: here begins another translation unit, see [`super::unit`].
    Unit,
    /// `#pragma ult undefined NAME`: a name in a condition that nobody has defined, see [`undefined`].
    Undefined(String),
    /// One that means nothing here: `#pragma`, `#ident`, or `#` alone.
    Nothing,
    /// `#pragma pack`, and what stands behind it.
    Pack(String),
    /// `#pragma weak` and `#pragma redefine_extname`: the names, and whether one becomes another name of the other.
    Linked {
        /// Whether there are two.
        renames: bool,
        /// The names.
        names: Vec<String>,
    },
    /// A pragma that changes layouts and is not covered, by its name.
    Refused(&'static str),
    /// Another one, by its name.
    Other(String),
}

/// Reads a directive. The line begins with `#` or `%:`.
pub fn directive(line: &str) -> Directive {
    let rest = line.strip_prefix("%:").unwrap_or(line);
    let rest = rest.trim_start_matches('#').trim();
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next();
    let name = name.unwrap_or_default();
    let marker = match name {
        "" if rest.is_empty() => return Directive::Nothing,
        "pragma" if pack(rest).is_some() => {
            return Directive::Pack(pack(rest).unwrap_or_default().to_owned());
        }
        "pragma" if linked(rest).is_some() => {
            let names = linked(rest).unwrap_or_default();
            return Directive::Linked {
                renames: names.len() > 1,
                names,
            };
        }
        "pragma" if rest.split_ascii_whitespace().eq(super::unit::PRAGMA) => {
            return Directive::Unit;
        }
        "pragma" if rest.starts_with(UNDEFINED) => {
            return Directive::Undefined(rest[UNDEFINED.len()..].trim().to_owned());
        }
        "pragma" if layout(rest).is_some() => {
            return Directive::Refused(layout(rest).unwrap_or_default());
        }
        "pragma" | "ident" | "sccs" | "warning" => return Directive::Nothing,
        "line" => rest["line".len()..].trim_start(),
        _ => rest,
    };
    let digits = marker
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(marker.len());
    match marker[..digits].parse() {
        Ok(line) => Directive::Marker {
            line,
            file: file_name(marker[digits..].trim_start()),
        },
        Err(_) => Directive::Other(name.to_owned()),
    }
}

/// The words of the pragma about a name that is not defined.
const UNDEFINED: &str = "pragma ult undefined ";

/// What tells, at the end of a preprocessed text, that a name in a condition on a line of a file is not defined.
pub fn undefined(name: &str, file: &str, line: u32) -> String {
    let file = file.replace('\\', "\\\\").replace('"', "\\\"");
    format!("# {line} \"{file}\"\n#{UNDEFINED}{name}\n")
}

/// What stands behind `pragma pack`.
fn pack(pragma: &str) -> Option<&str> {
    let rest = pragma.strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?;
    let ends = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    ends.then_some(rest)
}

/// Pragmas that say how structures are laid out, besides `pack`.
const LAYOUTS: [&str; 2] = ["scalar_storage_order", "ms_struct"];

/// Which of these a pragma is.
fn layout(pragma: &str) -> Option<&'static str> {
    let word = pragma.split_ascii_whitespace().nth(1)?;
    let word = word.split('(').next()?;
    LAYOUTS.into_iter().find(|known| *known == word)
}

/// The names that a pragma tells the linker.
fn linked(pragma: &str) -> Option<Vec<String>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut words = pragma
        .split(|c| !is_name(c))
        .filter(|word| !word.is_empty())
        .skip(1);
    matches!(words.next()?, "weak" | "redefine_extname").then(|| words.map(str::to_owned).collect())
}

/// The string at the start of a text, with `\"`, `\\` and octal escapes taken back.
fn file_name(text: &str) -> Option<Arc<str>> {
    let mut bytes = text.strip_prefix('"')?.bytes().peekable();
    let mut name = Vec::new();
    loop {
        match bytes.next()? {
            b'"' => return Some(String::from_utf8_lossy(&name).into()),
            b'\\' => {
                let mut code = None;
                for _ in 0..3 {
                    let Some(digit) = bytes.next_if(|byte| (b'0'..=b'7').contains(byte)) else {
                        break;
                    };
                    code = Some(code.unwrap_or(0_u32) * 8 + u32::from(digit - b'0'));
                }
                match code {
                    Some(code) => name.push(u8::try_from(code).unwrap_or(b'?')),
                    None => name.push(bytes.next()?),
                }
            }
            byte => name.push(byte),
        }
    }
}

/// Whether a text has to go through the preprocessor: it has directives other than line markers and pragmas, or names a macro
/// that every compiler knows, such as `__LINE__`. Strings and comments are respected.
pub fn has_directives(text: &str) -> bool {
    use ult_lang::diagnostic::Id;
    let source = super::clean(text);
    let mut diagnostics = source.diagnostics.iter();
    diagnostics.any(|diagnostic| diagnostic.id == Id::C_PREPROCESSOR)
        || words(&source.text).any(|place| is_macro(&source.text[place]))
}

/// Whether a name is that of a predefined macro (C11 6.10.8, 6.10.9), by its form.
fn is_macro(word: &str) -> bool {
    let inner = word
        .strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("__"));
    let is_loud = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name
                .bytes()
                .all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
    };
    // Two are names of variables.
    word == "_Pragma"
        || inner
            .is_some_and(|name| is_loud(name) && !matches!(name, "FUNCTION" | "PRETTY_FUNCTION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read() {
        let marker = |line, file: Option<&str>| Directive::Marker {
            line,
            file: file.map(Into::into),
        };
        for (text, expected) in [
            ("# 1 \"f.c\"", marker(1, Some("f.c"))),
            ("#line 44", marker(44, None)),
            (
                "# 3 \"a \\\"b\\\" \\303\\244\" 1 3 4",
                marker(3, Some("a \"b\" ä")),
            ),
            ("# 4294967296 \"f\"", Directive::Other("4294967296".into())),
            ("#", Directive::Nothing),
            (
                "#pragma weak a = b",
                Directive::Linked {
                    renames: true,
                    names: vec!["a".into(), "b".into()],
                },
            ),
            ("#pragma weaker a", Directive::Nothing),
            ("#pragma  ult unit", Directive::Unit),
            ("#pragma ult units", Directive::Nothing),
            ("# pragma pack(1)", Directive::Pack("(1)".into())),
            ("#pragma package x", Directive::Nothing),
            (
                "#pragma scalar_storage_order big-endian",
                Directive::Refused("scalar_storage_order"),
            ),
            ("#pragma ms_struct(on)", Directive::Refused("ms_struct")),
            ("#pragma GCC options", Directive::Nothing),
            ("#define line 3", Directive::Other("define".into())),
            ("#include <a.h>", Directive::Other("include".into())),
            ("%:include <a.h>", Directive::Other("include".into())),
        ] {
            assert_eq!(directive(text), expected, "{text}");
        }
    }

    #[test]
    fn directives_in_comments_and_strings_are_none() {
        assert!(!has_directives(
            "/*\n#include <a>\n*/ char *s = \"\\\n#define\";"
        ));
        assert!(has_directives("int x;\n  # include <a>"));
        assert!(has_directives("int x = __INT_MAX__;"));
        assert!(!has_directives(
            "char *s = __FUNCTION__, *t = \"__LINE__\"; // __LINE__"
        ));
    }
}
