//! What the parser does not know, in terms that it knows but that take more room: the text is taken apart into tokens,
//! and put together again with replacements. [`SourceMap`] leads back.

mod labels;

pub use self::labels::is_label_value;

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use super::chunks::{end_of_token, span};
use super::identifiers::{Spelling, universal};
use super::rewrite::is_keyword;

/// What stands for the second operand of gcc's `a ?: b`.
pub const REPEATED: &str = "__repeated__";
/// What stands in empty braces of an initialiser.
pub const NOTHING: &str = "__nothing__";
/// The tag in the type `struct … (*)(A, B)` that stands for the question whether two types are compatible.
pub const COMPATIBLE: &str = "__types_compatible__";

/// The tag in the type `struct … (*)(T)` that stands for the alignment that gcc prefers for the type.
pub const PREFERRED: &str = "__preferred_alignment__";

/// Where the pieces of a text come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// Offset in the new text, offset in the old one, and whether the piece was inserted. Sorted.
    pieces: Vec<(u32, u32, bool)>,
}

impl SourceMap {
    /// Whether nothing moved.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The place in the old text.
    pub fn back(&self, place: Span) -> Span {
        if self.is_empty() {
            return place;
        }
        // An end is the place just behind a byte.
        let end = match place.end.checked_sub(1) {
            Some(last) if place.end > place.start => match self.piece(last) {
                // All of what stands there now stands for all of what stood there.
                Some((.., true)) if self.begins(place.end) => self.offset(place.end),
                Some((_, old, true)) => old,
                _ => self.offset(last) + 1,
            },
            _ => self.offset(place.end),
        };
        let start = self.offset(place.start);
        Span::new(start, end.max(start))
    }

    /// Whether what stands at a place stands for something of the old text, and is no part of what was inserted.
    pub fn is_written(&self, place: Span) -> bool {
        let inserted = |at| self.piece(at).is_some_and(|piece| piece.2);
        let first = !inserted(place.start) || self.begins(place.start);
        let last = place.end.saturating_sub(1);
        first && (!inserted(last) || self.begins(place.end))
    }

    /// Whether a piece begins at an offset in the new text.
    fn begins(&self, at: u32) -> bool {
        self.piece(at).is_some_and(|(new, ..)| new == at)
    }

    fn piece(&self, at: u32) -> Option<(u32, u32, bool)> {
        let next = self.pieces.partition_point(|&(new, ..)| new <= at);
        self.pieces.get(next.checked_sub(1)?).copied()
    }

    /// Where something of the old text stands that nothing took the place of.
    pub(super) fn forward(&self, at: usize) -> usize {
        let kept = self.pieces.iter().filter(|piece| !piece.2);
        let last = kept.take_while(|piece| piece.1 as usize <= at).last();
        last.map_or(at, |&(new, old, _)| new as usize + (at - old as usize))
    }

    fn offset(&self, at: u32) -> u32 {
        match self.piece(at) {
            Some((_, old, true)) => old,
            Some((new, old, false)) => old + (at - new),
            None => at,
        }
    }
}

/// Expands, in a text without comments and directives:
///
/// * `a ?: b` to `a ? REPEATED : b`,
/// * empty braces of initialisers to `{ NOTHING }`,
/// * attributes between `struct` and its tag to attributes behind the members,
/// * functions without a result type (C90) to such that return `int`,
/// * `__builtin_types_compatible_p(A, B)` to `sizeof(struct COMPATIBLE (*)(A, B))`,
/// * `__alignof__(T)` to `sizeof(struct PREFERRED (*)(T))`: the parser does not tell it from `_Alignof(T)`,
/// * `&&label` and `goto *e;` to addresses of variables and comparisons with them (see [`labels`]),
/// * `_Alignas(e)` of members to an attribute, which the parser knows there, and the escape sequence `\e` to `\033`,
/// * `__auto_type` to `_Decimal64x`, which the parser knows, and `__thread` to nothing: here is only one thread,
/// * identifiers with characters that the parser does not know (see [`super::identifiers`]).
pub(super) fn expand(code: String, diagnostics: &mut Vec<Diagnostic>) -> (String, SourceMap) {
    let mut expander = Expander {
        code: &code,
        tokens: tokens(code.as_bytes()),
        edits: Vec::new(),
        spelling: Spelling::default(),
        diagnostics,
    };
    expander.run();
    let mut edits = expander.edits;
    if edits.is_empty() {
        return (code, SourceMap::default());
    }
    // Stable, so that what is inserted at one place keeps its order.
    edits.sort_by_key(|edit| edit.0);
    let mut out = String::with_capacity(code.len() + 16 * edits.len());
    let mut source_map = SourceMap {
        pieces: vec![(0, 0, false)],
    };
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut at = 0;
    for (from, to, new) in edits {
        if from < at {
            continue;
        }
        out.push_str(&code[at..from]);
        source_map
            .pieces
            .push((offset(out.len()), offset(from), true));
        out.push_str(&new);
        source_map
            .pieces
            .push((offset(out.len()), offset(to), false));
        at = to;
    }
    out.push_str(&code[at..]);
    (out, source_map)
}

/// The tokens as ranges: words and numbers, literals, and single bytes of everything else.
fn tokens(code: &[u8]) -> Vec<(usize, usize)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = code.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let from = at;
        at = if letter(code, at).is_some() {
            let mut end = at;
            while let Some(length) = letter(code, end) {
                end += length;
            }
            end
        } else {
            end_of_token(code, at).min(code.len())
        };
        tokens.push((from, at));
    }
    tokens
}

/// How long the letter of a word is that stands here, if there is one: a byte, or a universal character name.
fn letter(code: &[u8], at: usize) -> Option<usize> {
    match code.get(at)? {
        b'\\' => universal(&code[at..]),
        &byte if is_word(byte) => Some(1),
        _ => None,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

struct Expander<'a> {
    code: &'a str,
    tokens: Vec<(usize, usize)>,
    /// From, to, and what stands there instead.
    edits: Vec<(usize, usize, String)>,
    spelling: Spelling,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Expander<'_> {
    fn run(&mut self) {
        // Whether the braces that are open belong to initialisers.
        let mut braces: Vec<bool> = Vec::new();
        // Whether they are those of structures and unions.
        let mut records: Vec<bool> = Vec::new();
        for index in 0..self.tokens.len() {
            let (from, to) = self.tokens[index];
            self.spell(index);
            match self.token(index) {
                "{" => {
                    let initialiser = self.opens_initialiser(index, braces.last().copied());
                    if braces.is_empty() && !initialiser {
                        self.labels(index);
                    }
                    if initialiser && self.token(index + 1) == "}" {
                        self.edits.push((to, to, NOTHING.to_owned()));
                    }
                    braces.push(initialiser);
                    records.push(self.opens_record(index));
                }
                "}" => {
                    braces.pop();
                    records.pop();
                }
                "_Alignas" if records.last() == Some(&true) => self.alignment(index),
                "?" if self.token(index + 1) == ":" => {
                    self.edits.push((to, to, format!(" {REPEATED} ")));
                }
                "struct" | "union" | "enum" => self.attributes(index),
                "__auto_type" => self.edits.push((from, to, "_Decimal64x".to_owned())),
                "_Decimal64x" => self.diagnostics.push(Diagnostic::error(
                    Id::C_SYNTAX,
                    "the type `_Decimal64x` is not covered",
                    span(from, to),
                    "not covered",
                )),
                "__thread" => self.edits.push((from, to, String::new())),
                question @ ("__builtin_types_compatible_p" | "__alignof__" | "__alignof")
                    if self.token(index + 1) == "(" =>
                {
                    let tag = match question {
                        "__builtin_types_compatible_p" => COMPATIBLE,
                        _ => PREFERRED,
                    };
                    if let Some(close) = self.closing(index + 1) {
                        let end = self.tokens[close].1;
                        let new = format!("sizeof(struct {tag} (*)");
                        self.edits.push((from, to, new));
                        self.edits.push((end, end, ")".to_owned()));
                    }
                }
                text if text.starts_with(['"', '\'']) => self.escapes(index),
                _ if braces.is_empty()
                    && (index == 0 || matches!(self.token(index - 1), ";" | "}")) =>
                {
                    self.result_type(index);
                }
                _ => {}
            }
        }
    }

    /// An identifier that the parser does not know.
    fn spell(&mut self, index: usize) {
        let (from, to) = self.tokens[index];
        let code = self.code;
        match self.spelling.ascii(&code[from..to]) {
            Ok(None) => {}
            Ok(Some(ascii)) => self.edits.push((from, to, ascii)),
            Err(()) => self.diagnostics.push(Diagnostic::error(
                Id::C_SYNTAX,
                "another name is spelt like this one here, where letters beyond ASCII are spelt out",
                span(from, to),
                "use another name",
            )),
        }
    }

    /// Whether the brace opens the members of a structure or union.
    fn opens_record(&self, index: usize) -> bool {
        let is_record = |at: usize| matches!(self.token(at), "struct" | "union");
        let Some(mut before) = index.checked_sub(1) else {
            return false;
        };
        while self.token(before) == ")"
            && let Some(open) = self.opening(before)
            && let Some(head) = open.checked_sub(1)
            && self.token(head).starts_with("__attribute")
            && let Some(next) = head.checked_sub(1)
        {
            before = next;
        }
        is_record(before) || before.checked_sub(1).is_some_and(is_record)
    }

    /// `_Alignas(e)` of a member.
    fn alignment(&mut self, index: usize) {
        let Some(close) = self.closing(index + 1) else {
            return;
        };
        let (from, to) = self.tokens[index];
        let first = self.token(index + 2);
        let is_type = is_keyword(first.as_bytes())
            || ["struct", "union", "enum", "const", "volatile"].contains(&first);
        let (open, end) = match is_type {
            true => ("__attribute__((aligned(_Alignof", ")))"),
            false => ("__attribute__((aligned", "))"),
        };
        let behind = self.tokens[close].1;
        self.edits.push((from, to, open.to_owned()));
        self.edits.push((behind, behind, end.to_owned()));
    }

    /// The escape character (gcc, "The Character ESC in Constants").
    fn escapes(&mut self, index: usize) {
        let (from, to) = self.tokens[index];
        let mut at = from;
        let bytes = self.code.as_bytes();
        while at + 1 < to {
            if bytes[at] != b'\\' {
                at += 1;
                continue;
            }
            if matches!(bytes[at + 1], b'e' | b'E') {
                self.edits.push((at, at + 2, "\\033".to_owned()));
            }
            at += 2;
        }
    }

    /// An external declaration. If it is a function definition without a type, `int` is put in.
    fn result_type(&mut self, begin: usize) {
        let mut at = begin;
        loop {
            match self.token(at) {
                "static" | "extern" | "inline" | "__inline" | "__inline__" | "__extension__" => {
                    at += 1;
                }
                "__attribute__" | "__attribute" => match self.closing(at + 1) {
                    Some(close) => at = close + 1,
                    None => return,
                },
                _ => break,
            }
        }
        let word = self.token(at);
        if self.token(at + 1) == "("
            && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !is_keyword(word.as_bytes())
            && self.is_definition(at + 1)
        {
            let (from, to) = self.tokens[at];
            self.diagnostics.push(Diagnostic::warning(
                Id::C_IMPLICIT_INT,
                "a function without a result type",
                span(from, to),
                "taken as `int`",
            ));
            self.edits.push((from, from, "int ".to_owned()));
        }
    }

    /// Whether the parentheses are the parameters of a function definition: a body follows, or declarations of the
    /// parameters in the old style.
    fn is_definition(&self, open: usize) -> bool {
        self.token(open + 1) != "*"
            && self.closing(open).is_some_and(|close| {
                let next = self.token(close + 1);
                next == "{" || next.starts_with(|c: char| c.is_ascii_alphabetic())
            })
    }

    /// A token's text; empty behind the last one.
    fn token(&self, index: usize) -> &str {
        match self.tokens.get(index) {
            Some(&(from, to)) => &self.code[from..to],
            None => "",
        }
    }

    /// Whether the brace opens an initialiser, in braces of which that is known.
    fn opens_initialiser(&self, index: usize, inside: Option<bool>) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        match self.token(before) {
            "=" => true,
            "," | "{" | "]" => inside == Some(true),
            // A compound literal, unless it is the head of a function or statement.
            ")" => self
                .opening(before)
                .and_then(|open| open.checked_sub(1))
                .is_some_and(|head| match self.token(head) {
                    "return" | "sizeof" | "case" => true,
                    "=" | "(" | "," | "&" | "?" | ":" | "+" | "-" | "|" | "<" | ">" | "!" => true,
                    ";" | "{" | "}" | "*" => inside.is_some(),
                    _ => false,
                }),
            _ => false,
        }
    }

    /// `struct __attribute__((…)) tag { … }`: the attributes go behind the members.
    fn attributes(&mut self, index: usize) {
        let mut next = index + 1;
        while matches!(self.token(next), "__attribute__" | "__attribute") {
            match self.closing(next + 1) {
                Some(close) => next = close + 1,
                None => return,
            }
        }
        if next == index + 1 {
            return;
        }
        let (from, to) = (self.tokens[index + 1].0, self.tokens[next - 1].1);
        let text = format!(" {}", &self.code[from..to]);
        self.edits.push((from, to, String::new()));
        let members = if self.token(next) == "{" {
            next
        } else {
            next + 1
        };
        if self.token(members) == "{"
            && let Some(close) = self.closing(members)
        {
            let end = self.tokens[close].1;
            self.edits.push((end, end, text));
        }
    }

    /// The token that closes the bracket.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in open..self.tokens.len() {
            match self.token(index) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// The token that opens the parenthesis.
    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in (0..=close).rev() {
            match self.token(index) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn expanded(code: &str) -> String {
        expand(code.to_owned(), &mut Vec::new()).0
    }

    #[test]
    fn what_takes_more_room_is_put_in() {
        assert_eq!(expanded("x = a ?: b;"), "x = a ? __repeated__ : b;");
        assert_eq!(
            expanded(
                "struct s x = {}; int f() { if (a) {} y = (struct s){}; z = (t){{}, {}}; do {} while (0); }"
            ),
            "struct s x = {__nothing__}; int f() { if (a) {} y = (struct s){__nothing__}; \
             z = (t){{__nothing__}, {__nothing__}}; do {} while (0); }"
        );
        assert_eq!(
            expanded(
                "struct __attribute__((packed)) s { struct __attribute__((a)) { int b; } c; } x;"
            ),
            "struct  s { struct  { int b; } __attribute__((a)) c; } __attribute__((packed)) x;"
        );
        assert_eq!(
            expanded("main() {} f(a) int a; {} T (*g)(int); T (h);"),
            "int main() {} int f(a) int a; {} T (*g)(int); T (h);"
        );
        assert_eq!(
            expanded("static __attribute__((noinline)) f(void) {} static int g(void) {}"),
            "static __attribute__((noinline)) int f(void) {} static int g(void) {}"
        );
        assert_eq!(
            expanded("x = __builtin_types_compatible_p(int, char *);"),
            "x = sizeof(struct __types_compatible__ (*)(int, char *));"
        );
        assert_eq!(expanded("__thread int x;"), " int x;");
        assert_eq!(
            expanded("int \\u00e4$ = b\u{e4} + '\u{e4}';"),
            "int __ucn_e4___ucn_24_ = b__ucn_e4_ + '\u{e4}';"
        );
        let untouched = "int f(int a) { return a ? 1 : 2; } struct s { int a; } x = { 1 };";
        assert_eq!(expanded(untouched), untouched);
    }

    #[test]
    fn places_lead_back() {
        let old = "main() { return q ?: b; }";
        let (new, source_map) = expand(old.to_owned(), &mut Vec::new());
        for word in ["main", "return", "q", "b; }"] {
            let at = |text: &str| text.rfind(word).unwrap() as u32;
            let length = word.len() as u32;
            let place = Span::new(at(&new), at(&new) + length);
            assert_eq!(source_map.back(place), Span::new(at(old), at(old) + length));
        }
        let inserted = new.find(REPEATED).unwrap() as u32;
        let place = source_map.back(Span::new(inserted, inserted + 5));
        assert_eq!(place, Span::new(19, 19));
        let whole = source_map.back(Span::new(0, new.len() as u32));
        assert_eq!(whole, Span::new(0, old.len() as u32));
    }
}
