//! C text made ready for the parser.
//!
//! The parser sees no comments, no directives and no line splices (C11 5.1.1.2, phases 2 to 4). They are blanked in
//! place: what is left stands where it stood, so that the parser's offsets are offsets in the user's text.
//!
//! | file | idea |
//! |---|---|
//! | `annotation` | ACSL assertions in comments become calls |
//! | [`kept`] | annotations get through a preprocessor that takes comments for white space |
//! | [`before`] | where preprocessed text stood in the files |
//! | [`encoding`] | bytes that are no UTF-8 |
//! | [`marker`] | which file and line a piece of preprocessed text comes from |
//! | [`unit`] | several translation units in one text |

mod annotation;
pub mod before;
pub mod encoding;
pub mod kept;
pub mod marker;
pub mod pack;
pub mod unit;

use std::ops::Range;

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

pub use self::annotation::{ASSERTION, rewritten};
pub use self::marker::{Marker, has_directives};
pub use self::pack::Packs;

/// What some editors write before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Text that the parser can read, with the same offsets as the original.
#[derive(Clone, Debug)]
pub struct Source {
    /// The text.
    pub text: String,
    /// The line markers, by ascending offset.
    pub markers: Vec<Marker>,
    /// Where other translation units begin, by ascending offset.
    pub units: Vec<usize>,
    /// What `#pragma pack` says.
    pub packs: Packs,
    /// The names in pragmas for the linker, and whether one becomes another name of the other.
    pub linked: Vec<(bool, Vec<String>)>,
    /// Annotations, wherever they stand.
    pub annotations: Vec<Annotation>,
    /// What is wrong or ignored.
    pub diagnostics: Vec<Diagnostic>,
}

/// A comment that begins with `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The comment.
    pub range: Range<usize>,
    /// Whether it has an assertion in it.
    pub asserts: bool,
    /// Whether it can be a part of a macro, of its call or its arguments.
    pub in_macro: bool,
}

/// Blanks everything that is not a token: comments, line splices, line markers and pragmas. Assertions in comments
/// (`//@ assert e;`) become calls of [`ASSERTION`].
///
/// Diagnostics: what is not closed, directives (the text has to be preprocessed), and annotations that are not covered.
pub fn clean(text: &str) -> Source {
    let mut cleaner = Cleaner {
        text: text.as_bytes(),
        // An annotation in a line comment may need one more byte behind it.
        out: [text.as_bytes(), b"\n"].concat(),
        at: 0,
        line_begins: true,
        code: Code::default(),
        markers: Vec::new(),
        units: Vec::new(),
        packs: pack::Reader::default(),
        linked: Vec::new(),
        annotations: Vec::new(),
        diagnostics: Vec::new(),
    };
    cleaner.run();
    let Cleaner {
        out,
        markers,
        units,
        packs,
        linked,
        annotations,
        diagnostics,
        ..
    } = cleaner;
    Source {
        // Only whole characters were replaced, by ASCII ones.
        text: String::from_utf8_lossy(&out).into_owned(),
        markers,
        units,
        packs: packs.finish(),
        linked,
        annotations,
        diagnostics,
    }
}

/// What has been seen of the code between comments.
#[derive(Clone, Copy, Debug, Default)]
struct Code {
    /// The last byte that is no blank.
    last: u8,
    /// How many braces are open.
    depth: usize,
    /// How many parentheses are open.
    parens: usize,
}

struct Cleaner<'a> {
    text: &'a [u8],
    out: Vec<u8>,
    at: usize,
    /// Whether there were only blanks on this line.
    line_begins: bool,
    code: Code,
    markers: Vec<Marker>,
    units: Vec<usize>,
    packs: pack::Reader,
    linked: Vec<(bool, Vec<String>)>,
    annotations: Vec<Annotation>,
    diagnostics: Vec<Diagnostic>,
}

impl Cleaner<'_> {
    fn run(&mut self) {
        if self.text.starts_with(BYTE_ORDER_MARK) {
            self.blank(0, BYTE_ORDER_MARK.len());
            self.at = BYTE_ORDER_MARK.len();
        }
        while let Some(&byte) = self.text.get(self.at) {
            let next = self.text.get(self.at + 1).copied();
            match byte {
                b'\n' => {
                    self.line_begins = true;
                    self.at += 1;
                }
                b'/' if next == Some(b'*') => self.block_comment(),
                b'/' if next == Some(b'/') => self.line_comment(),
                b'#' if self.line_begins => self.directive(),
                // The digraph (C11 6.4.6).
                b'%' if self.line_begins && next == Some(b':') => self.directive(),
                b'"' | b'\'' => self.quoted(byte),
                b'\\' if self.splice(self.at).is_some() => self.splice_between_tokens(),
                _ => {
                    if !byte.is_ascii_whitespace() {
                        self.line_begins = false;
                        self.note(byte);
                    } else if byte != b'\t' && byte != b' ' {
                        // Form feeds and carriage returns.
                        self.blank(self.at, self.at + 1);
                    }
                    self.at += 1;
                }
            }
        }
    }

    /// Remembers a byte of code.
    fn note(&mut self, byte: u8) {
        match byte {
            b'{' => {
                if self.code.depth == 0 {
                    // Whatever was not closed in a declaration before.
                    self.code.parens = 0;
                }
                self.code.depth += 1;
            }
            b'}' => self.code.depth = self.code.depth.saturating_sub(1),
            b'(' => self.code.parens += 1,
            b')' => self.code.parens = self.code.parens.saturating_sub(1),
            _ => {}
        }
        self.code.last = byte;
    }

    /// Replaces everything but line ends by blanks.
    fn blank(&mut self, from: usize, to: usize) {
        for byte in self.out.iter_mut().take(to).skip(from) {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn error(&mut self, id: Id, message: &str, from: usize, to: usize, label: &str) {
        self.diagnostics
            .push(Diagnostic::error(id, message, span(from, to), label));
    }

    fn block_comment(&mut self) {
        let from = self.at;
        let end = find(self.text, from + 2, b"*/");
        let to = end.map_or(self.text.len(), |end| end + 2);
        self.blank(from, to);
        self.at = to;
        let Some(end) = end else {
            self.error(
                Id::UNCLOSED_COMMENT,
                "this comment is never closed",
                from,
                from + 2,
                "begins here",
            );
            return;
        };
        if self.text.get(from + 2) == Some(&b'@') {
            self.found(from..to);
            self.annotation(from, end, to);
        }
    }

    /// Where the line ends, across spliced ones.
    fn end_of_line(&self, from: usize) -> usize {
        let mut to = from;
        while let Some(&byte) = self.text.get(to) {
            match self.splice(to) {
                Some(length) => to += length,
                None if byte == b'\n' => break,
                None => to += 1,
            }
        }
        to
    }

    fn line_comment(&mut self) {
        let from = self.at;
        let to = self.end_of_line(from + 2);
        self.blank(from, to);
        self.at = to;
        if self.text.get(from + 2) == Some(&b'@') {
            self.found(from..to);
            self.annotation(from, to, to);
        }
    }

    /// Notes an annotation in code.
    fn found(&mut self, range: Range<usize>) {
        let mut behind = range.end;
        while let Some(&byte) = self.text.get(behind) {
            let rest = &self.text[behind..];
            if let Some(length) = self.splice(behind) {
                behind += length;
            } else if byte.is_ascii_whitespace() {
                behind += 1;
            } else if rest.starts_with(b"//") {
                behind = self.end_of_line(behind);
            } else if rest.starts_with(b"/*") {
                let end = find(self.text, behind + 2, b"*/");
                behind = end.map_or(self.text.len(), |end| end + 2);
            } else {
                break;
            }
        }
        // A name that stands before it may be that of a macro whose arguments follow, also where there are directives between.
        let calls = matches!(self.text.get(behind), Some(b'(' | b'#' | b'%'))
            && !matches!(self.code.last, 0 | b'{' | b'}' | b';' | b':');
        // What stands before a directive must be white space.
        let between = &self.text[range.end..behind];
        let is_first =
            self.text.get(behind) == Some(&b'#') && self.line_begins && !between.contains(&b'\n');
        self.annotations.push(Annotation {
            asserts: annotation::asserts(&self.text[range.clone()]),
            in_macro: self.code.parens > 0 || calls || is_first,
            range,
        });
    }

    /// The end of a directive, and its text without comments; comments may be longer than its line.
    fn end_of_directive(&mut self, from: usize) -> (usize, String) {
        let mut line = Vec::new();
        let mut at = from;
        while let Some(&byte) = self.text.get(at) {
            let rest = &self.text[at..];
            if let Some(length) = self.splice(at) {
                at += length;
            } else if byte == b'\n' {
                break;
            } else if rest.starts_with(b"/*") || rest.starts_with(b"//") {
                let end = match byte == b'/' && rest[1] == b'*' {
                    true => find(self.text, at + 2, b"*/").map_or(self.text.len(), |end| end + 2),
                    false => self.end_of_line(at),
                };
                if self.text.get(at + 2) == Some(&b'@') {
                    self.annotations.push(Annotation {
                        range: at..end,
                        asserts: annotation::asserts(&self.text[at..end]),
                        in_macro: true,
                    });
                }
                line.push(b' ');
                at = end;
            } else if byte == b'"' || byte == b'\'' {
                let start = at;
                at += 1;
                while let Some(&next) = self.text.get(at) {
                    if next == b'\n' {
                        break;
                    }
                    at += 1;
                    if next == byte {
                        break;
                    }
                    if next == b'\\' && self.text.get(at).is_some_and(|next| *next != b'\n') {
                        at += 1;
                    }
                }
                line.extend_from_slice(&self.text[start..at]);
            } else {
                line.push(byte);
                at += 1;
            }
        }
        (at, String::from_utf8_lossy(&line).into_owned())
    }

    /// A directive of the preprocessor, up to the end of its line.
    fn directive(&mut self) {
        let from = self.at;
        let (to, line) = self.end_of_directive(from);
        self.blank(from, to);
        self.at = to;
        match marker::directive(&line) {
            marker::Directive::Marker { line, file } => {
                let file = file.or_else(|| self.markers.last().and_then(|last| last.file.clone()));
                self.markers.push(Marker {
                    offset: offset(to + 1),
                    line,
                    file,
                });
            }
            marker::Directive::Pack(arguments) => {
                if !self.packs.read(&arguments, offset(from)) {
                    self.diagnostics.push(Diagnostic::error(
                        Id::C_SYNTAX,
                        "this form of `#pragma pack` is not covered",
                        span(from, to),
                        "not covered",
                    ));
                }
            }
            marker::Directive::Linked { renames, names } => self.linked.push((renames, names)),
            marker::Directive::Unit => {
                self.units.push(to.saturating_add(1).min(self.text.len()));
                self.packs.begin_unit(offset(from));
                self.code = Code::default();
            }
            marker::Directive::Undefined(name) => {
                // The name is the last word of the line.
                let at = to - name.len().min(to);
                self.diagnostics.push(Diagnostic::warning(
                    Id::C_UNDEFINED_MACRO,
                    format!("`{name}` is not defined, and counts as 0 here"),
                    span(at, to),
                    "no macro of this name is known",
                ));
            }
            marker::Directive::Nothing => {}
            marker::Directive::Refused(name) => self.diagnostics.push(Diagnostic::error(
                Id::C_SYNTAX,
                format!("`#pragma {name}` is not covered"),
                span(from, to),
                "it changes how structures are laid out",
            )),
            marker::Directive::Other(name) => {
                let message = format!("the text is not preprocessed: `#{name}`");
                self.diagnostics.push(Diagnostic::error(
                    Id::C_PREPROCESSOR,
                    message,
                    span(from, to),
                    "a directive of the preprocessor",
                ));
            }
        }
    }

    /// A string or character constant. A splice in a string becomes the end of one string and the begin of the next.
    fn quoted(&mut self, quote: u8) {
        let from = self.at;
        self.line_begins = false;
        self.note(quote);
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' => match self.splice(self.at) {
                    Some(length) if quote == b'"' => {
                        self.out[self.at] = quote;
                        self.out[self.at + 1..self.at + length - 1].fill(b' ');
                        self.out[self.at + length - 1] = quote;
                        self.at += length;
                    }
                    Some(_) => {
                        self.split_token();
                        return;
                    }
                    None => self.at += 2,
                },
                b'\n' => break,
                _ if byte == quote => {
                    self.at += 1;
                    return;
                }
                _ => self.at += 1,
            }
        }
        // `\` may be the last byte.
        self.at = self.at.min(self.text.len());
        let to = self.at;
        self.blank(from, to);
        let what = if quote == b'"' {
            "this string is not closed on its line"
        } else {
            "this character constant is not closed on its line"
        };
        self.error(Id::UNCLOSED_STRING, what, from, to, "begins here");
    }

    /// The length of the line splice here, if there is one: a backslash at the end of a line.
    fn splice(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        if rest.starts_with(b"\\\n") {
            Some(2)
        } else if rest.starts_with(b"\\\r\n") {
            Some(3)
        } else {
            None
        }
    }

    fn splice_between_tokens(&mut self) {
        let length = self.splice(self.at).unwrap_or(2);
        let before = self.at.checked_sub(1).map(|at| self.text[at]);
        let behind = self.text.get(self.at + length).copied();
        let apart = |byte: Option<u8>| {
            byte.is_none_or(|byte| {
                byte.is_ascii_whitespace()
                    || matches!(byte, b'(' | b')' | b'{' | b'}' | b',' | b';')
            })
        };
        if apart(before) || apart(behind) {
            self.blank(self.at, self.at + length);
            self.at += length;
        } else {
            self.split_token();
        }
    }

    fn split_token(&mut self) {
        let length = self.splice(self.at).unwrap_or(1);
        self.blank(self.at, self.at + length);
        self.error(
            Id::C_SYNTAX,
            "a token that goes on on the next line is not covered",
            self.at,
            self.at + 1,
            "the line ends within a token",
        );
        self.at += length;
    }
}

/// Just after the byte here, or the string or character constant.
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

/// Where the words of a text are, but for those in strings and characters.
pub fn words(code: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = code.as_bytes();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            if is_letter(byte) {
                let start = at;
                while bytes.get(at).is_some_and(|&byte| is_letter(byte)) {
                    at += 1;
                }
                if !byte.is_ascii_digit() {
                    return Some(start..at);
                }
            } else {
                at = end_of_token(bytes, at);
            }
        }
        None
    })
}

fn find(text: &[u8], from: usize, pattern: &[u8]) -> Option<usize> {
    text.get(from..)?
        .windows(pattern.len())
        .position(|window| window == pattern)
        .map(|at| from + at)
}

/// Texts have at most 4 GiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn span(from: usize, to: usize) -> Span {
    Span::new(offset(from), offset(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text behind cleaning, without the line end that is added.
    fn cleaned(text: &str) -> String {
        let source = clean(text);
        assert_eq!(source.diagnostics, [], "{text}");
        assert_eq!(source.text.len(), text.len() + 1);
        source.text[..text.len()].to_owned()
    }

    fn messages(text: &str) -> Vec<String> {
        let describe = |diagnostic: &Diagnostic| {
            let place = &text[diagnostic.span().range()];
            format!("{} {}: {place}", diagnostic.id, diagnostic.message)
        };
        clean(text).diagnostics.iter().map(describe).collect()
    }

    #[test]
    fn comments_become_blanks_and_offsets_stay() {
        assert_eq!(cleaned("a/*b\nc*/d"), "a   \n   d");
        assert_eq!(cleaned("a // b \\\n c\nd"), "a       \n  \nd");
        assert_eq!(cleaned("/* ä */x"), "        x");
        assert_eq!(cleaned("a / b /* // */ c"), "a / b          c");
        assert_eq!(cleaned("\u{feff}int x;"), "   int x;");
    }

    #[test]
    fn strings_and_characters_are_no_comments() {
        for text in [r#""/* \" // ""#, r"'\'' + '/' + '/'", r#"'"' + '"'"#] {
            assert_eq!(cleaned(text), text);
        }
    }

    #[test]
    fn strings_go_on_behind_a_splice() {
        assert_eq!(cleaned("\"ab\\\ncd\""), "\"ab\"\"cd\"");
        assert_eq!(cleaned("\"ab\\\r\ncd\""), "\"ab\" \"cd\"");
        assert_eq!(cleaned("a \\\n b"), "a  \n b");
    }

    #[test]
    fn what_is_not_closed_is_told() {
        assert_eq!(
            messages("x /* y"),
            ["E0002 this comment is never closed: /*"]
        );
        assert_eq!(
            messages("char *s = \"abc;\nint y;"),
            ["E0003 this string is not closed on its line: \"abc;"]
        );
        assert_eq!(
            messages("'\\"),
            ["E0003 this character constant is not closed on its line: '\\"]
        );
        assert_eq!(
            messages("ret\\\nurn"),
            ["E0601 a token that goes on on the next line is not covered: \\"]
        );
    }

    #[test]
    fn comments_in_directives_belong_to_them() {
        let text = "#define A /* 1\n */ 2 // \\\n 3\nint x;\n#error don't /*\nint y;";
        let source = clean(text);
        let words: Vec<&str> = source.text.split_whitespace().collect();
        assert_eq!(words, ["int", "x;", "int", "y;"]);
        assert_eq!(messages("#pragma pack(1) // tight\n"), [""; 0]);
    }

    #[test]
    fn annotations_in_macros_are_told_apart() {
        for (text, in_macro) in [
            ("#define A //@ assert x;", true),
            ("f(/*@ assert x; */ 1);", true),
            ("assert /*@ assert x; */ (1);", true),
            ("{ M(1) //@ assert x;\n y; }", false),
            ("{ //@ assert x;\n (y)++; }", false),
        ] {
            let found: Vec<bool> = clean(text).annotations.iter().map(|a| a.in_macro).collect();
            assert_eq!(found, [in_macro], "{text}");
        }
    }

    #[test]
    fn directives_are_read_or_refused() {
        let source = clean("# 7 \"a.h\" 1 3\nint x;\n#pragma once\n  #line 9\nint y;");
        assert_eq!(source.diagnostics, []);
        let x = source.text.find("int x").unwrap();
        let y = source.text.find("int y").unwrap();
        assert_eq!(source.text.split_whitespace().count(), 4);
        let markers: Vec<_> = source
            .markers
            .iter()
            .map(|marker| (marker.offset as usize, marker.line, marker.file.as_deref()))
            .collect();
        assert_eq!(markers, [(x, 7, Some("a.h")), (y, 9, Some("a.h"))]);
        assert_eq!(
            messages("#define A 1\nint x = 2 # 3;"),
            ["E0602 the text is not preprocessed: `#define`: #define A 1"]
        );
        assert_eq!(
            messages("%:define A 1\nint x = 2 %:3;"),
            ["E0602 the text is not preprocessed: `#define`: %:define A 1"]
        );
    }
}
