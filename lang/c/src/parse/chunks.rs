//! Where the external declarations of a text are (C11 6.9), by its brackets.

use std::ops::Range;

use ult_lang::span::Span;

/// A place by its offsets.
pub(super) fn span(from: usize, to: usize) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(from), offset(to))
}

/// The declarations, by ascending offset. Together they contain everything but blanks.
pub fn chunks(code: &str) -> Vec<Range<usize>> {
    let bytes = code.as_bytes();
    let mut chunks: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    let mut braces = 0_usize;
    let mut parens = 0_usize;
    let mut is_body = false;
    let mut last = b';';
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // A vertical tab is white space in C (C11 6.4p3), too.
        if byte.is_ascii_whitespace() || byte == b'\x0b' {
            at += 1;
            continue;
        }
        let from = *start.get_or_insert(at);
        at = end_of_token(bytes, at);
        let mut ends = false;
        match byte {
            b'{' => {
                if braces == 0 {
                    parens = 0;
                    is_body = matches!(last, b')' | b';');
                }
                braces += 1;
            }
            b'}' => {
                ends = braces == 0 || (braces == 1 && is_body);
                braces = braces.saturating_sub(1);
            }
            b'(' => parens += 1,
            b')' => parens = parens.saturating_sub(1),
            b';' => ends = braces == 0,
            _ => {}
        }
        last = byte;
        if ends {
            start = None;
            // Parameters declared in the old style stand between a function's head and its body.
            match chunks.last_mut() {
                Some(before) if bytes[from] == b'{' => before.end = at,
                _ => chunks.push(from..at),
            }
        }
    }
    chunks.extend(start.map(|from| from..code.trim_end().len().max(from)));
    chunks
}

/// Just behind the byte here, or the string or character constant.
pub fn end_of_token(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    if !matches!(quote, b'"' | b'\'') {
        return at + 1;
    }
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            _ if byte == quote => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// The text with a declaration blanked. If it was a type definition, its name stays a type.
pub(super) fn without(code: String, chunk: &Range<usize>) -> String {
    let mut bytes = code.into_bytes();
    let text = String::from_utf8_lossy(&bytes[chunk.clone()]).into_owned();
    for byte in &mut bytes[chunk.clone()] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    let name = text
        .strip_suffix(';')
        .filter(|text| text.starts_with("typedef"))
        .map(str::trim_end)
        .and_then(|text| {
            text.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .next()
        })
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
    if let Some(name) = name {
        let definition = format!("typedef int {name};");
        if definition.len() <= text.len() {
            bytes[chunk.start..chunk.start + definition.len()]
                .copy_from_slice(definition.as_bytes());
        }
    }
    // Whole characters were replaced: a declaration ends behind `;` or `}`.
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str) -> Vec<&str> {
        chunks(code).into_iter().map(|chunk| &code[chunk]).collect()
    }

    #[test]
    fn declarations_are_told_apart() {
        let parts = [
            "int x = 1, y[] = { 1, 2 };",
            "struct S { int a; } s;",
            "int f(a) int a; { return '}'; }",
            "typedef int T;",
            "int g(void) { char *s = \"{\"; for (;;) { } }",
            ";",
            "}",
            "int h(void) { if (",
        ];
        assert_eq!(texts(&parts.join("\n")), parts);
        assert_eq!(texts(" \n"), [""; 0]);
        assert_eq!(texts("\x0b  "), [""; 0]);
        assert_eq!(texts("int x;\x0b\x0c"), ["int x;"]);
    }

    #[test]
    fn a_lost_type_stays_a_type() {
        let code = "typedef struct S { int ; } T; T x;".to_owned();
        let chunk = chunks(&code)[0].clone();
        assert_eq!(without(code, &chunk), "typedef int T;                T x;");
    }
}
