//! What the parser does not know, in terms that it knows and that take the same room.

use lang_c::ast::{TS18661FloatFormat, TS18661FloatType};
use ult_lang::diagnostic::{Diagnostic, Id};

use super::chunks::{end_of_token, span};
use crate::types::IntType;

/// `__int128` goes through the parser as `_Float16`, `__int128_t` as `_Decimal32`, `__uint128_t` as `_Decimal32x`: as long,
/// and not supported otherwise.
const TYPES: [(&str, &str); 4] = [
    ("__int128", "_Float16"),
    ("__int128_t", "_Decimal32"),
    ("__uint128_t", "_Decimal32x"),
    ("__float128", "_Float128 "),
];

/// Types that the parser knows and nobody else.
const NO_TYPES: [&str; 3] = ["_Float16", "_Decimal32", "_Decimal32x"];

/// The integer type that a floating type of the tree stands for, if it does.
pub fn integer(ty: &TS18661FloatType) -> Option<IntType> {
    use TS18661FloatFormat::{BinaryInterchange, DecimalExtended, DecimalInterchange};
    let signed = match (&ty.format, ty.width) {
        (BinaryInterchange, 16) | (DecimalInterchange, 32) => true,
        (DecimalExtended, 32) => false,
        _ => return None,
    };
    Some(IntType { bits: 128, signed })
}

/// Rewrites a text without comments and directives:
///
/// * types, as in [`TYPES`],
/// * functions without a result type (C90): `main() {`, `extern f();`,
/// * attributes of statements and labels, C23 attributes, `__label__` declarations, and semicolons between declarations
///   are blanked, if nothing depends on them (see [`HINTS`]); `[[noreturn]]` becomes `_Noreturn`,
/// * a label at the end of a block gets an empty statement (C23).
pub(super) fn rewrite(code: String, diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut rewriter = Rewriter {
        code: code.as_bytes(),
        out: code.clone().into_bytes(),
        diagnostics,
    };
    rewriter.run();
    // ASCII took the place of whole tokens.
    String::from_utf8_lossy(&rewriter.out).into_owned()
}

/// Attributes that change neither layouts nor what a program does. Only these may be taken away.
const HINTS: [&str; 13] = [
    "unused",
    "maybe_unused",
    "used",
    "fallthrough",
    "hot",
    "cold",
    "deprecated",
    "nodiscard",
    "warn_unused_result",
    "musttail",
    "likely",
    "unlikely",
    "nomerge",
];

struct Rewriter<'a> {
    code: &'a [u8],
    out: Vec<u8>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Rewriter<'_> {
    fn run(&mut self) {
        let mut depth = 0_usize;
        // Whether the braces that are open are those of structures, unions and enumerations.
        let mut types: Vec<bool> = Vec::new();
        // Whether the specifier of such a type goes on.
        let mut is_type = false;
        // Whether the last brace closed such a type.
        let mut closed_type = false;
        let mut last = b';';
        // Just behind the last token.
        let mut end = 0;
        let mut at = 0;
        while let Some(&byte) = self.code.get(at) {
            if byte.is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let from = at;
            at = if is_word(byte) {
                self.end_of_word(at)
            } else {
                end_of_token(self.code, at)
            };
            let word = &self.code[from..at];
            match byte {
                b'{' => {
                    depth += 1;
                    types.push(is_type);
                }
                b'}' => {
                    depth = depth.saturating_sub(1);
                    closed_type = types.pop().unwrap_or(false);
                    if last == b':' && from > end {
                        self.out[end] = b';';
                    }
                }
                b';' if depth == 0 && matches!(last, b';' | b'}') && self.blanked_before(from) => {
                    self.blank(from, at);
                }
                b'[' if self.code.get(at) == Some(&b'[') => {
                    if let Some(close) = self.closing(from) {
                        self.standard_attributes(from, close, last);
                        at = close;
                        end = at;
                        continue;
                    }
                }
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                    // Behind the members of a type, attributes are those of the type.
                    let in_block = depth > 0
                        && matches!(last, b';' | b'{' | b'}' | b':')
                        && !(last == b'}' && closed_type);
                    if let Some(behind) = self.word(word, from, at, last, in_block) {
                        at = behind;
                        end = at;
                        continue;
                    }
                    if is_type
                        && matches!(word, b"__attribute__" | b"__attribute")
                        && let Some(close) = self.closing(self.skip_blanks(at))
                    {
                        at = close;
                        end = at;
                        continue;
                    }
                    if depth == 0 && matches!(last, b';' | b'}') {
                        self.result_type(from, at, end);
                    }
                }
                _ => {}
            }
            is_type = match word {
                b"struct" | b"union" | b"enum" => true,
                _ => is_type && is_word(byte),
            };
            last = self.code[at - 1];
            end = at;
        }
    }

    /// `[[…]]`: hints are taken away, and what changes more is refused.
    fn standard_attributes(&mut self, from: usize, to: usize, last: u8) {
        let names = self.attribute_names(from + 2, to.saturating_sub(2));
        self.blank(from, to);
        for name in names {
            let begins = matches!(last, b';' | b'{' | b'}');
            if begins && matches!(name.as_str(), "noreturn" | "_Noreturn") {
                self.out[from..from + 9].copy_from_slice(b"_Noreturn");
            } else {
                self.refuse_attribute(&name, from, to);
            }
        }
    }

    /// The names in a list of attributes that are no hints.
    fn attribute_names(&self, from: usize, to: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = from;
        while at < to {
            let byte = self.code[at];
            if byte == b'(' {
                at = self.closing(at).unwrap_or(to);
            } else if is_word(byte) {
                let end = self.end_of_word(at).min(to);
                let name = String::from_utf8_lossy(&self.code[at..end]).into_owned();
                let is_prefix = self.code[end..].starts_with(b"::");
                if !is_prefix && !HINTS.contains(&name.trim_matches('_')) {
                    names.push(name);
                }
                at = end;
            } else {
                at += 1;
            }
        }
        names
    }

    fn refuse_attribute(&mut self, name: &str, from: usize, to: usize) {
        self.diagnostics.push(Diagnostic::error(
            Id::C_SYNTAX,
            format!("the attribute `{name}` is not covered here"),
            span(from, to),
            "it may change layouts or what the program does",
        ));
    }

    /// A word; the end of what was blanked, if anything was.
    fn word(
        &mut self,
        word: &[u8],
        from: usize,
        to: usize,
        last: u8,
        in_block: bool,
    ) -> Option<usize> {
        if let Some((_, new)) = TYPES.iter().find(|(old, _)| old.as_bytes() == word) {
            self.out[from..to].copy_from_slice(new.as_bytes());
            return None;
        }
        if let Some(name) = NO_TYPES.iter().find(|name| name.as_bytes() == word) {
            self.diagnostics.push(Diagnostic::error(
                Id::C_SYNTAX,
                format!("the type `{name}` is not covered"),
                span(from, to),
                "not covered",
            ));
            return None;
        }
        match word {
            b"__attribute__" | b"__attribute" if in_block => {
                let open = self.skip_blanks(to);
                let close = self.closing(open)?;
                let next = self.code.get(self.skip_blanks(close));
                if last == b':' || next == Some(&b';') {
                    // `((…))`: the inner pair is no list of arguments.
                    let inner = self.skip_blanks(open + 1) + 1;
                    for name in self.attribute_names(inner, close) {
                        self.refuse_attribute(&name, from, close);
                    }
                    self.blank(from, close);
                    return Some(close);
                }
                None
            }
            b"__label__" if in_block => {
                let length = self.code[to..].iter().position(|byte| *byte == b';')?;
                self.blank(from, to + length + 1);
                Some(to + length + 1)
            }
            _ => None,
        }
    }

    /// A word at the beginning of an external declaration. If it is a function's name, or `extern` or `static` with such
    /// a name, the type `int` is missing.
    fn result_type(&mut self, from: usize, to: usize, end: usize) {
        let word = &self.code[from..to];
        // Before a parenthesised name it is a type: `number (f)(void)`.
        let calls = |at: usize| {
            let open = self.skip_blanks(at);
            self.code.get(open) == Some(&b'(')
                && self
                    .closing(open)
                    .is_none_or(|close| self.code.get(self.skip_blanks(close)) != Some(&b'('))
        };
        if matches!(word, b"extern" | b"static") {
            let name = self.skip_blanks(to);
            let name_end = self.end_of_word(name);
            if name_end > name && calls(name_end) && !is_keyword(&self.code[name..name_end]) {
                self.out[from..from + 6].copy_from_slice(b"int   ");
                self.implicit(name, name_end);
            }
        } else if calls(to) && !is_keyword(word) && from >= end + 4 {
            self.out[from - 4..from].copy_from_slice(b"int ");
            self.implicit(from, to);
        }
    }

    fn implicit(&mut self, from: usize, to: usize) {
        self.diagnostics.push(Diagnostic::warning(
            Id::C_IMPLICIT_INT,
            "a function without a result type",
            span(from, to),
            "taken as `int`",
        ));
    }

    /// Whether there is no declaration before.
    fn blanked_before(&self, at: usize) -> bool {
        self.out[..at].iter().all(u8::is_ascii_whitespace)
    }

    fn end_of_word(&self, at: usize) -> usize {
        let rest = &self.code[at..];
        at + rest
            .iter()
            .position(|byte| !is_word(*byte))
            .unwrap_or(rest.len())
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let rest = &self.code[at..];
        at + rest
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())
            .unwrap_or(rest.len())
    }

    /// Just behind the bracket that closes the one here.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut at = open;
        while let Some(&byte) = self.code.get(at) {
            at = end_of_token(self.code, at);
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    fn blank(&mut self, from: usize, to: usize) {
        for byte in &mut self.out[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

/// Whether a word followed by a parenthesis is no function's name.
pub(super) fn is_keyword(word: &[u8]) -> bool {
    [
        "__attribute__",
        "__attribute",
        "__typeof__",
        "__typeof",
        "typeof",
        "_Static_assert",
        "_Alignas",
        "_Atomic",
        "__asm__",
        "__asm",
        "asm",
        "__declspec",
        "int",
        "void",
        "char",
        "short",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "_Bool",
    ]
    .iter()
    .any(|keyword| keyword.as_bytes() == word)
}
