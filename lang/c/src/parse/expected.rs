//! What the parser would have liked to see, in words.

use std::ops::Range;

use lang_c::driver::SyntaxError;
use ult_lang::diagnostic::{Diagnostic, Id};

use super::{chunks, span};

/// The message about a mistake at an offset, in a declaration.
pub(super) fn message(
    code: &str,
    at: usize,
    chunk: &Range<usize>,
    error: &SyntaxError,
) -> Diagnostic {
    if at >= chunk.end {
        return unfinished(code, chunk);
    }
    let end = end_of_word(code, at);
    let token = &code[at..end];
    let message = match at == chunk.start && starts_word(token) {
        // All that is known is that no declaration begins like this.
        true => format!("no declaration begins with `{token}`"),
        false => format!("`{token}` is unexpected here"),
    };
    let label = match wanted(error) {
        wanted if wanted.is_empty() => "not understood".to_owned(),
        wanted => format!("expected {}", listed(&wanted)),
    };
    let diagnostic = Diagnostic::error(Id::C_SYNTAX, message, span(at, end), label);
    match help(token, before(code, at)) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// The text ends within a declaration.
fn unfinished(code: &str, chunk: &Range<usize>) -> Diagnostic {
    let bytes = code.as_bytes();
    let mut open = Vec::new();
    let mut at = chunk.start;
    while at < chunk.end {
        match bytes[at] {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => {
                open.pop();
            }
            _ => {}
        }
        at = chunks::end_of_token(bytes, at);
    }
    match open.last() {
        Some(&at) => Diagnostic::error(
            Id::C_SYNTAX,
            format!("this `{}` is never closed", char::from(bytes[at])),
            span(at, at + 1),
            "begins here",
        ),
        None => Diagnostic::error(
            Id::C_SYNTAX,
            "the text ends within a declaration",
            span(chunk.start, end_of_word(code, chunk.start)),
            "begins here",
        ),
    }
}

fn starts_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The end of the word or character here.
fn end_of_word(code: &str, at: usize) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = &code[at..];
    match rest.chars().next() {
        Some(first) if is_word(first) => at + rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        Some(first) => at + first.len_utf8(),
        None => at,
    }
}

/// The word before an offset.
fn before(code: &str, at: usize) -> &str {
    let text = code[..at].trim_end();
    let start = text.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    &text[start.map_or(0, |start| start + 1)..]
}

/// The kinds of things that may stand there.
fn wanted(error: &SyntaxError) -> Vec<&'static str> {
    let has = |text: &str| error.expected.contains(text);
    let mut wanted = Vec::new();
    let operand = has("~") && has("!");
    if operand {
        wanted.push("an expression");
    } else if has("<typedef_name>") {
        wanted.push("a type");
    } else if has("[_a-zA-Z]") {
        wanted.push("a name");
    }
    if has("!=") && !operand {
        wanted.push("an operator");
    }
    for (text, words) in [
        (";", "`;`"),
        (",", "`,`"),
        (")", "`)`"),
        ("]", "`]`"),
        ("}", "`}`"),
        ("{", "`{`"),
        (":", "`:`"),
        ("while", "`while`"),
    ] {
        if has(text) {
            wanted.push(words);
        }
    }
    wanted
}

fn listed(wanted: &[&str]) -> String {
    match wanted {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// What may help with a token behind a word.
fn help(token: &str, before: &str) -> Option<String> {
    Some(match (token, before) {
        ("goto", "asm" | "__asm__" | "volatile") => "assembler that jumps is not covered".into(),
        _ if token == before => return None,
        ("{", _) => "functions within functions are not covered".into(),
        _ if starts_word(token) && starts_word(before) => {
            format!("if `{before}` is meant to be a type, its definition is missing")
        }
        _ => return None,
    })
}
