//! Whatever the text, the front end answers, and its places lie in the text.

use proptest::prelude::*;
use ult_lang::diagnostic::Diagnostic;
use ult_lang::hir::Program;
use ult_lang::{analyze_boogie, analyze_graph};

/// Pieces of programs; in random order they are mostly wrong, but often enough only in their names and types.
const PIECES: &[&str] = &[
    "procedure p(x: int) returns (y: int) modifies g; {",
    "implementation p(a: int) returns (b: int) {",
    "}",
    "{",
    "(",
    ")",
    "var g: int;",
    "var m: [int]bool;",
    "var h: <a>[F a]a;",
    "type F a;",
    "type S = [int]S;",
    "type S a = F (F a);",
    "datatype D<t> { A(v: t), B(v: t, w: int) }",
    "const c: F int;",
    "const unique d: int extends c complete;",
    "function f<a>(x: a) returns (a);",
    "function k(x: int) returns (int) { x / 2 }",
    "axiom (forall x: int ::",
    "{ f(x) }",
    "f(x) == x);",
    "assert",
    "assume",
    "x",
    "y",
    "g",
    "m",
    "h",
    "c",
    "d",
    ":=",
    ";",
    ",",
    "==",
    "&&",
    "+",
    "/",
    "1",
    "1.5",
    "5bv8",
    "true",
    "[",
    "]",
    "->v",
    "is A",
    "old(",
    "call",
    "p(",
    "f(",
    "A(",
    "B(",
    "while (*) {",
    "if (x) {",
    "else",
    "break;",
    "l:",
    "goto l;",
    "break l;",
    "(lambda<a> z: F a ::",
    "(var q := x;",
    "q",
    "havoc",
    "return;",
    ": int",
    "[8:0]",
    "++",
    "-",
    "!",
    "graph G {",
    "init i;",
    "error e;",
    "i -> e",
    ": x' == x;",
    "{ local t: int;",
    "let u := x;",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.join(" "))
}

fn check(text: &str, diagnostics: &[Diagnostic]) {
    let mut last = 0;
    for diagnostic in diagnostics {
        assert!(diagnostic.span().start >= last, "out of order");
        last = diagnostic.span().start;
        assert!(!diagnostic.labels.is_empty());
        for (span, _) in &diagnostic.labels {
            assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
        }
    }
}

/// Nothing erroneous is in a program without error diagnostics.
fn no_hidden_errors(program: &Program, diagnostics: &[Diagnostic]) {
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let text = format!("{program:?}");
        assert!(!text.contains("Error"), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_sequence_of_pieces_is_answered(text in text()) {
        let (program, diagnostics) = analyze_boogie(&text);
        check(&text, &diagnostics);
        no_hidden_errors(&program, &diagnostics);
        prop_assert_eq!(&analyze_boogie(&text), &(program, diagnostics));
        let (_, diagnostics) = analyze_graph(&text);
        check(&text, &diagnostics);
    }

    #[test]
    fn statements_in_a_body_are_answered(pieces in prop::collection::vec(prop::sample::select(&PIECES[24..]), 0..12)) {
        let text = format!(
            "type F a; datatype D<t> {{ A(v: t), B(v: t, w: int) }} var g: int; var m: [int]bool; var h: <a>[F a]a; \
             const c: F int; function f<a>(x: a) returns (a); procedure p(x: int) returns (y: int) modifies g; \
             {{ l: while (*) {{ assert {}; }} }}",
            pieces.join(" ")
        );
        let (program, diagnostics) = analyze_boogie(&text);
        check(&text, &diagnostics);
        no_hidden_errors(&program, &diagnostics);
    }
}
