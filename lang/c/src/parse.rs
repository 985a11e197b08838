//! Syntax trees of C, and several errors in one run.
//!
//! A parser by recursive descent, with the grammar's productions as functions (C11 6.5 to 6.9). It stops at a mistake, skips
//! the external declaration (6.9) that contains it, and goes on after it, so that every declaration gets its own message.
//!
//! | file | idea |
//! |---|---|
//! | `token` | the tokens |
//! | `number` | what numbers mean |
//! | `identifiers` | identifiers beyond ASCII |
//! | `names` | which names are types |
//! | `parser` | where the parser is, and what it knows |
//! | `wanted` | what might have come where a mistake is, in words |
//! | `expression`, `specifiers`, `declarator`, `declaration`, `statement` | the grammar |
//! | `attribute` | attributes of gcc and of C23 |
//! | `external` | the external declarations one after the other, past mistakes |

mod attribute;
mod declaration;
mod declarator;
mod expression;
mod external;
mod identifiers;
mod names;
mod number;
mod parser;
mod specifiers;
mod statement;
mod token;
mod wanted;

use ult_lang::diagnostic::Diagnostic;

use crate::source::{self, Marker, Packs};
use crate::syntax::TranslationUnit;

pub use self::external::{declarations, defines};
pub(crate) use self::identifiers::told;
pub use self::identifiers::written;

/// What one level of a tree costs at most for those who walk it, in bytes.
const LEVEL: usize = 24 * 1024;

/// What a text says, as far as it can be read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The declarations of its translation units, one in most programs; those with mistakes are missing.
    pub units: Vec<TranslationUnit>,
    /// The declarations of the library after it (see [`crate::library`]).
    pub library: TranslationUnit,
    /// The line markers.
    pub markers: Vec<Marker>,
    /// What `#pragma pack` says, by offsets in the text.
    pub packs: Packs,
    /// The names in `#pragma weak` and `#pragma redefine_extname`, and whether one becomes another name of the other.
    pub linked: Vec<(bool, Vec<String>)>,
    /// What is wrong or ignored, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// An upper bound for the depth of the trees.
    depth: usize,
}

impl Parsed {
    /// Does something with a stack that is large enough to walk the trees.
    pub fn with_stack<T>(&self, work: impl FnOnce() -> T) -> T {
        let needed = (self.depth + 32) * LEVEL;
        stacker::maybe_grow(needed, needed + LEVEL, work)
    }
}

/// Parses a preprocessed text. Places in the trees are places in this text.
///
/// What [`crate::library::completed`] appended is parsed by itself: types that the program defines mean nothing there.
pub fn parse(text: &str) -> Parsed {
    let (own, library) = crate::library::split(text);
    // The line end before the library comes back.
    let own = match library {
        "" => own,
        _ => own.strip_suffix('\n').unwrap_or(own),
    };
    let source::Source {
        text: code,
        mut markers,
        units: starts,
        packs,
        linked,
        mut diagnostics,
        ..
    } = source::clean(own);
    let mut units = Vec::new();
    let mut depth = 0;
    for part in source::unit::pieces(&starts, code.len()) {
        let mut unit = external::translation_unit(&code, part);
        diagnostics.append(&mut unit.diagnostics);
        depth = depth.max(unit.depth);
        units.push(unit.trees);
    }
    diagnostics.sort_by_key(Diagnostic::span);
    let mut after = TranslationUnit::default();
    if !library.is_empty() {
        let source = source::clean(library);
        let start = code.len();
        let offset = u32::try_from(start).unwrap_or(u32::MAX);
        markers.extend(source.markers.into_iter().map(|marker| Marker {
            offset: marker.offset.saturating_add(offset),
            ..marker
        }));
        let whole = " ".repeat(start) + &source.text;
        let unit = external::translation_unit(&whole, start..whole.len());
        depth = depth.max(unit.depth);
        after = unit.trees;
    }
    Parsed {
        units,
        library: after,
        markers,
        packs,
        linked,
        diagnostics,
        depth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(parsed: &Parsed) -> &TranslationUnit {
        let [unit] = &parsed.units[..] else {
            static NOTHING: TranslationUnit = TranslationUnit(Vec::new());
            return &NOTHING;
        };
        unit
    }

    #[test]
    fn units_know_nothing_of_each_other() {
        // What is a type in one unit is a variable in the other, and what is not closed in one hurts no other.
        let first = "typedef int T; T x = 1 ?: 2; T f(void) { return x + ; }";
        let text = source::unit::joined([
            ("a.c", first),
            ("b.c", "int T; int *g(void) { return T * x; }"),
        ])
        .unwrap();
        let parsed = parse(&text);
        let counts: Vec<usize> = parsed.units.iter().map(|unit| unit.0.len()).collect();
        assert_eq!(counts, [2, 2]);
        let [mistake] = &parsed.diagnostics[..] else {
            panic!("{:?}", parsed.diagnostics);
        };
        assert_eq!(&text[mistake.labels[0].0.range()], ";");
        let place = parsed.units[1].0[1].span;
        assert_eq!(&text[place.range()], "int *g(void) { return T * x; }");
    }

    /// The number of declarations, and the messages with what they mark and say there.
    fn told(text: &str) -> (usize, Vec<String>) {
        let parsed = parse(text);
        let describe = |diagnostic: &Diagnostic| {
            let (span, label) = &diagnostic.labels[0];
            let place = &text[span.range()];
            format!("{} [{place}: {label}]", diagnostic.message)
        };
        let messages = parsed.diagnostics.iter().map(describe).collect();
        (only(&parsed).0.len(), messages)
    }

    fn accepted(text: &str) -> TranslationUnit {
        let parsed = parse(text);
        let start: String = text.chars().take(100).collect();
        assert_eq!(parsed.diagnostics, [], "{start}");
        only(&parsed).clone()
    }

    #[test]
    fn every_declaration_gets_its_own_message() {
        let text = "
            typedef struct { int +; } T;
            int f(void) { return 1 /* here */ }
            T x;
            int g(void) { foo y; return 0; }
            int h(int a) { return a; }
            int main() { if (x } }
            int i(void) { {";
        let (declarations, messages) = told(text);
        // `x` and `h`.
        assert_eq!(declarations, 2);
        assert_eq!(
            messages,
            [
                "`+` is unexpected here [+: expected a name, `;` or `:`]",
                "`}` is unexpected here [}: expected an operator, `;` or `,`]",
                "`y` is unexpected here [y: expected an operator, `;`, `,` or `:`]",
                "`}` is unexpected here [}: expected an operator, `,` or `)`]",
                "`}` is unexpected here [}: expected a type or `;`]",
                "this `{` is never closed [{: begins here]",
            ]
        );
    }

    #[test]
    fn spans_are_offsets_in_the_text() {
        let text = "/* ä */ int x; // y\n# 7 \"f.h\"\nint y = '/*' + 2;";
        let unit = accepted(text);
        let places: Vec<_> = unit.0.iter().map(|d| &text[d.span.range()]).collect();
        assert_eq!(places, ["int x;", "int y = '/*' + 2;"]);
    }

    #[test]
    fn what_the_parser_does_not_know_is_rewritten() {
        for (text, declarations) in [
            ("__int128_t f(void); _Float128 x;", 2),
            (
                "__int128 x; unsigned __int128 y; __uint128_t z; __float128 w;",
                4,
            ),
            ("; ; int x;; int f() { } ;", 2),
            ("[[noreturn]] void f(void) [[gnu::cold]];", 1),
            (
                "int f() { __label__ a, b; a: __attribute__((unused)); __attribute__((fallthrough)); b: }",
                1,
            ),
            ("int f() { switch (1) { default: } }", 1),
            ("int f() { __attribute__((unused)) int x; }", 1),
        ] {
            assert_eq!(accepted(text).0.len(), declarations, "{text}");
        }
    }

    #[test]
    fn functions_without_a_result_type_return_int() {
        for (text, declarations) in [
            ("\n\n\n\nmain() { return 0; }", 1),
            ("extern main(); int x;", 2),
            ("static main(a) int a; { return a; }", 1),
        ] {
            let told = told(text);
            let message = "a function without a result type [main: taken as `int`]";
            assert_eq!(told, (declarations, vec![message.to_owned()]), "{text}");
        }
    }

    #[test]
    fn implications_become_disjunctions() {
        let unit = accepted("int f(int a) {\n//@ assert (a == 1 ==> a > 0) ==> a ==> 1;\n}");
        let text = format!("{unit:?}");
        let operators: Vec<_> = text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| ["LogicalOr", "Negate", "Comma"].contains(word))
            .collect();
        assert_eq!(
            operators,
            [
                "LogicalOr",
                "Negate",
                "LogicalOr",
                "Negate",
                "LogicalOr",
                "Negate"
            ]
        );
    }

    #[test]
    fn deep_texts_are_parsed_or_refused() {
        for (open, close) in [
            ("(", ")"),
            ("-", ""),
            ("!(", ")"),
            ("x ? 1 : ", ""),
            ("(int)", ""),
        ] {
            let text = |n: usize| {
                format!(
                    "int f(int x) {{ return {}x{}; }}",
                    open.repeat(n),
                    close.repeat(n)
                )
            };
            let count = if open == "!(" { 4_000 } else { 9_000 };
            let parsed = stacker::grow(400 << 20, || accepted(&text(count)).0.len());
            assert_eq!(parsed, 1);
            let (declarations, messages) = told(&text(100_000));
            assert_eq!((declarations, messages.len()), (0, 1));
        }
        for (open, close) in [
            ("typeof(", ")"),
            ("_Atomic(", ")"),
            ("int (*)(", ")"),
            ("struct { ", "}"),
        ] {
            let text = |n: usize| {
                let (open, close) = (open.repeat(n), close.repeat(n));
                format!("int x = sizeof({open}int y;{close});")
            };
            let (_, messages) = told(&text(100_000));
            assert_eq!(messages.len(), 1, "{open}");
        }
        let (_, messages) = told(&"int f(void) { ".repeat(100_000));
        assert_eq!(messages.len(), 1);
        for repeated in ["{", "if (x) ; else ", "while (x) ", "case 1: "] {
            let close = if repeated == "{" { "}" } else { "" };
            let text = format!(
                "int f(int x) {{ {} ; {} }}",
                repeated.repeat(500),
                close.repeat(500)
            );
            assert_eq!(accepted(&text).0.len(), 1);
        }
    }

    #[test]
    fn texts_cut_anywhere_do_no_harm() {
        let text = "typedef int T; T f(T a) { /* b */ char *s = \"\\\"x\"; //@ assert a ==> 1;\n return '\\n' + a[[x]]; } main() { é }";
        for (end, _) in text.char_indices() {
            for diagnostic in parse(&text[..end]).diagnostics {
                for (span, _) in diagnostic.labels {
                    assert!(text[..end].get(span.range()).is_some(), "{end}: {span:?}");
                }
            }
        }
    }
}
