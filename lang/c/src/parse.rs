//! Syntax trees of C, with crate `lang-c`, and several errors in one run.
//!
//! The parser stops at the first mistake. Then the external declaration (C11 6.9) that contains it is blanked and the
//! rest is parsed again, so that every declaration gets its own message and all offsets stay what they are.
//!
//! | file | idea |
//! |---|---|
//! | `chunks` | where the external declarations are |
//! | `depth` | how deep the parser may have to recurse |
//! | `expand` | what takes more room in terms that the parser knows |
//! | `expected` | what the parser would have liked to see, in words |
//! | `identifiers` | identifiers beyond ASCII |
//! | `implication` | `==>` of assertions in comments |
//! | `rewrite` | what the parser does not know, in terms that it knows |

mod chunks;
mod depth;
mod expand;
mod expected;
mod identifiers;
mod implication;
mod rewrite;

use std::ops::Range;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use ult_lang::diagnostic::{Diagnostic, Id};

use crate::source::{self, Marker, Packs};

use self::chunks::span;
pub use self::chunks::{chunks, end_of_token};
pub use self::expand::{COMPATIBLE, NOTHING, PREFERRED, REPEATED, SourceMap, is_label_value};
pub(crate) use self::identifiers::told;
pub use self::identifiers::written;
pub use self::rewrite::integer;

/// More mistakes are not told in one run: each costs another look at the whole text.
const MOST_ERRORS: usize = 20;

/// What a text says, as far as it can be read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The declarations of its translation units, one in most programs; those with mistakes are missing.
    pub units: Vec<TranslationUnit>,
    /// The declarations of the library behind it (see [`crate::library`]).
    pub library: TranslationUnit,
    /// The line markers.
    pub markers: Vec<Marker>,
    /// What `#pragma pack` says, by offsets in the text.
    pub packs: Packs,
    /// The names in `#pragma weak` and `#pragma redefine_extname`, and whether one becomes another name of the other.
    pub linked: Vec<(bool, Vec<String>)>,
    /// What is wrong or ignored, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// From offsets in the trees to offsets in the text.
    pub source_map: SourceMap,
    /// An upper bound for the depth of the trees.
    depth: usize,
}

impl Parsed {
    /// Does something with a stack that is large enough to walk the trees.
    pub fn with_stack<T>(&self, work: impl FnOnce() -> T) -> T {
        depth::with_stack(self.depth, work)
    }
}

/// Parses a preprocessed text. Spans in the trees lead to this text by way of [`Parsed::source_map`].
///
/// What [`crate::library::completed`] appended is parsed by itself: types that the program defines mean nothing there.
pub fn parse(text: &str) -> Parsed {
    let (own, library) = crate::library::split(text);
    // The line end before the library comes back.
    let own = match library {
        "" => own,
        _ => own.strip_suffix('\n').unwrap_or(own),
    };
    let mut source = source::clean(own);
    let mut diagnostics = source.diagnostics;
    let code = rewrite::rewrite(source.text, &mut diagnostics);
    let (code, source_map) = expand::expand(code, &mut diagnostics);
    let starts: Vec<usize> = source
        .units
        .iter()
        .map(|&at| source_map.forward(at))
        .collect();
    let mut units = Vec::new();
    let length = code.len();
    let depth = depth::measure(&code);
    match depth {
        Err(at) => diagnostics.push(Diagnostic::error(
            Id::LIMIT,
            format!("nested more than {} levels deep", depth::LIMIT),
            source_map.back(span(at, at + 1)),
            "too deep",
        )),
        Ok(depth) => {
            for piece in source::unit::pieces(&starts, length) {
                // Offsets stay what they are.
                let alone = match piece {
                    Range { start: 0, end } if end == length => code.clone(),
                    Range { start, end } => " ".repeat(start) + &code[start..end],
                };
                let (mut unit, mistakes) = depth::with_stack(depth, || translation_unit(alone));
                for mut mistake in mistakes {
                    for (place, _) in &mut mistake.labels {
                        *place = source_map.back(*place);
                    }
                    diagnostics.push(mistake);
                }
                depth::with_stack(depth, || implication::expand(&mut unit));
                units.push(unit);
            }
        }
    }
    diagnostics.sort_by_key(Diagnostic::span);
    let (library, deep) = parsed_behind(library, length, text.len(), &mut source.markers);
    Parsed {
        units,
        library,
        markers: source.markers,
        packs: source.packs,
        linked: source.linked,
        diagnostics,
        source_map,
        depth: depth.unwrap_or(0).max(deep),
    }
}

/// The declarations of one translation unit, and the mistakes in it.
fn translation_unit(mut code: String) -> (TranslationUnit, Vec<Diagnostic>) {
    let mut mistakes = Vec::new();
    while mistakes.len() < MOST_ERRORS {
        match parsed(&code) {
            Ok(unit) => return (unit, mistakes),
            Err(error) => {
                let (diagnostic, rest) = mistake(code, &error);
                code = rest;
                mistakes.push(diagnostic);
            }
        }
    }
    (TranslationUnit(Vec::new()), mistakes)
}

/// The declarations of the library, whose text stands behind `length` bytes of the program's text, and how deep they are.
/// Their markers are appended.
fn parsed_behind(
    library: &str,
    length: usize,
    end: usize,
    markers: &mut Vec<Marker>,
) -> (TranslationUnit, usize) {
    let nothing = TranslationUnit(Vec::new());
    if library.is_empty() {
        return (nothing, 0);
    }
    let source = source::clean(library);
    let start = u32::try_from(end - library.len()).unwrap_or(u32::MAX);
    markers.extend(source.markers.into_iter().map(|marker| Marker {
        offset: marker.offset.saturating_add(start),
        ..marker
    }));
    let Ok(depth) = depth::measure(&source.text) else {
        return (nothing, 0);
    };
    let mut code = " ".repeat(length);
    code += &source.text;
    let unit = depth::with_stack(depth, || parsed(&code));
    (unit.unwrap_or(nothing), depth)
}

fn parsed(code: &str) -> Result<TranslationUnit, SyntaxError> {
    let config = Config {
        // It is never started: the text is preprocessed.
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    parse_preprocessed(&config, code.to_owned()).map(|parse| parse.unit)
}

/// The message about a mistake, and the text without the declaration that contains it.
fn mistake(code: String, error: &SyntaxError) -> (Diagnostic, String) {
    let chunks = chunks::chunks(&code);
    let at = code.len() - code[error.offset.min(code.len())..].trim_start().len();
    let chunk = chunks
        .iter()
        .find(|chunk| at < chunk.end)
        .or(chunks.last())
        .cloned()
        .unwrap_or(0..code.len());
    let diagnostic = expected::message(&code, at, &chunk, error);
    let rest = chunks::without(code, &chunk);
    (diagnostic, rest)
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
        let place = parsed.source_map.back(span(place.start, place.end));
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
        // The type that was lost, `x` and `h`.
        assert_eq!(declarations, 3);
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
        let places: Vec<_> = unit
            .0
            .iter()
            .map(|d| &text[d.span.start..d.span.end])
            .collect();
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
            let depth = depth::LIMIT
                / if open.len() == 2 || open.len() > 6 {
                    2
                } else {
                    1
                }
                - 10;
            let parsed = depth::with_stack(depth, || accepted(&text(depth)).0.len());
            assert_eq!(parsed, 1);
            let (declarations, messages) = told(&text(100_000));
            assert_eq!((declarations, messages.len()), (0, 1));
        }
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
