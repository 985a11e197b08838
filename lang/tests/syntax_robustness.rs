//! Texts that are too long, too deep, empty, or no programs at all. Nothing panics, nothing overflows the stack; every
//! test runs on a thread with the usual two megabytes.

use ult_lang::ast::{Decl, ExprKind, TypeKind};
use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::parse::{MAX_NESTING, parse_boogie, parse_graph};
use ult_lang::print;

/// Parses, prints, clones, compares and drops the program.
fn exercise(text: &str) -> Vec<Diagnostic> {
    let (program, diagnostics) = parse_boogie(text);
    let copy = program.clone();
    assert!(copy == program);
    drop(program);
    if diagnostics.is_empty() {
        let printed = print::program(&copy);
        let (again, diagnostics) = parse_boogie(&printed);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(printed.len(), print::program(&again).len());
    }
    diagnostics
}

fn ids(diagnostics: &[Diagnostic]) -> Vec<Id> {
    diagnostics.iter().map(|d| d.id).collect()
}

#[test]
fn empty_texts() {
    for text in [
        "",
        " ",
        "\n\n",
        "//#Safe",
        "// comment\n",
        "/* /* */ */",
        "\u{feff}// with a byte order mark\n",
    ] {
        assert!(exercise(text).is_empty(), "{text:?}");
        assert!(parse_graph(text).1.is_empty(), "{text:?}");
    }
}

#[test]
fn garbage() {
    for text in [
        "\0",
        "\0\0\0 procedure",
        "procedure \0 main() { }",
        "}}}}}}",
        "{{{{{{",
        ")(][}{",
        "procedure",
        "procedure p(",
        "procedure p() { x := [ }",
        "\"",
        "/*",
        "'",
        "`",
        "\\",
        "|{|{|{",
        "}|}|",
        "é ∀ λ λx αβγ",
        "forall exists lambda",
        "axiom (var := ; );",
        "var x: <a>[;",
        "graph g { a -> b { let := } }",
    ] {
        parse_graph(text);
        assert!(!exercise(text).is_empty(), "{text:?}");
    }
}

#[test]
fn every_prefix_of_a_program() {
    let text = "type T a = [a]bv8;\nconst unique c: int extends d complete;\nfunction {:inline} f<a>(x: T a) returns (int) { 1 }\n\
        axiom (forall x: int :: {f(x)} x is C ==> m[x := 0bv8][8:0] == (var y := 1e5; y)->g);\n\
        procedure {:a \"s\"} p<a>(x: int where x > 0) returns (y: a)\n  requires x > 0;\n  modifies ;\n{\n  var z: int;\n l:\n  \
        while (*)\n    invariant z > 0;\n  {\n    if (x > 0) { z, m[1]->f := 1, old(z); } else if (*) { break l; } else { }\n  }\n  \
        call y := p(|{ A: return true; }|);\n  goto l, k;\n}\n";
    assert!(
        parse_boogie(text).1.is_empty(),
        "{:?}",
        parse_boogie(text).1
    );
    for end in 0..text.len() {
        exercise(&text[..end]);
        exercise(&text[end..]);
        // Without one character
        exercise(&format!("{}{}", &text[..end], &text[end + 1..]));
    }
}

#[test]
fn long_chains() {
    let n = 100_000;
    for op in ["&&", "==>", "+", "**"] {
        let operands = vec!["x"; n].join(op);
        assert!(exercise(&format!("axiom {operands};")).is_empty(), "{op}");
    }
    let branches = "if b then 1 else ".repeat(n);
    assert!(exercise(&format!("axiom ({branches} 2) == 3;")).is_empty());
    let branches = "else if (*) { } ".repeat(n);
    assert!(exercise(&format!("procedure p() {{ if (*) {{ }} {branches} }}")).is_empty());
    let (program, _) = parse_boogie(&format!("axiom {};", vec!["x"; n].join("&&")));
    let [Decl::Axiom(axiom)] = &program.decls[..] else {
        panic!("{:?}", program.decls.len())
    };
    assert!(matches!(&axiom.expr.kind, ExprKind::Chain { rest, .. } if rest.len() == n - 1));
}

#[test]
fn a_line_of_ten_megabytes() {
    let operand = "x".repeat(100);
    assert!(
        exercise(&format!(
            "axiom {};",
            vec![operand.as_str(); 100_000].join("&&")
        ))
        .is_empty()
    );
    assert!(exercise(&format!("// {}", "x".repeat(10_000_000))).is_empty());
    assert!(exercise(&format!("var {}: int;", "x".repeat(10_000_000))).is_empty());
    assert_eq!(
        ids(&exercise(&format!(
            "axiom {} == 0;",
            "1".repeat(10_000_000)
        ))),
        [Id::LIMIT]
    );
    assert_eq!(
        ids(&exercise(&"@".repeat(10_000_000))),
        [Id::UNEXPECTED_CHARACTER]
    );
}

#[test]
fn many_errors() {
    for text in [
        "x ".repeat(1_000_000),
        "; ".repeat(1_000_000),
        "axiom ; ".repeat(300_000),
        "@ ".repeat(100_000),
    ] {
        assert!(!parse_boogie(&text).1.is_empty());
        assert!(!parse_graph(&text).1.is_empty());
    }
}

#[test]
fn deep_but_within_the_limit() {
    let n = MAX_NESTING - 10;
    let nested = |open: &str, middle: &str, close: &str, n: usize| {
        format!("{}{middle}{}", open.repeat(n), close.repeat(n))
    };
    for expr in [
        nested("(", "x", ")", n),
        nested("f(", "x", ")", n),
        nested("m[", "x", "]", n),
        nested("(forall x: int :: ", "b", ")", n),
        nested("!", "x", "", n),
        nested("-", "x", "", n),
        nested("", "x", "[0]", n),
        nested("", "x", "[0 := 1]", n),
        nested("", "x", "->f", n),
        nested("if c then ", "x", " else y", n),
        nested("(1 + ", "x", ")", n),
    ] {
        assert_eq!(exercise(&format!("axiom {expr};")), [], "{}", &expr[..20]);
    }
    for ty in [
        nested("[", "int", "]int", n),
        nested("[int]", "int", "", n),
        nested("(T (", "int", "))", n / 2),
    ] {
        assert_eq!(exercise(&format!("var x: {ty};")), [], "{}", &ty[..20]);
    }
    assert_eq!(
        exercise(&format!(
            "procedure p() {{ {} }}",
            nested("if (*) { ", "", "}", n)
        )),
        []
    );
}

#[test]
fn too_deep() {
    for text in [
        format!("axiom {}1{};", "(".repeat(100_000), ")".repeat(100_000)),
        format!("axiom {}", "(".repeat(100_000)),
        format!("axiom {}true;", "!".repeat(100_000)),
        format!("axiom {}true;", "!-".repeat(100_000)),
        format!("axiom x{};", "[1 := 2]".repeat(100_000)),
        format!("axiom x{};", "->f".repeat(100_000)),
        format!(
            "axiom {}1{};",
            "if b then ".repeat(100_000),
            " else 2".repeat(100_000)
        ),
        format!(
            "axiom {}1{};",
            "-if b then (".repeat(50_000),
            ") else 2".repeat(50_000)
        ),
        format!("axiom {};", "if ".repeat(100_000)),
        format!("var x: {}int;", "[int]".repeat(100_000)),
        format!("procedure p() {{ {} }}", "while (*) { ".repeat(100_000)),
        format!("axiom {}", "|{ A: return ".repeat(100_000)),
    ] {
        assert_eq!(ids(&exercise(&text)), [Id::LIMIT], "{}", &text[..30]);
        let graph = text.replacen("axiom", "graph g { a -> b: ", 1);
        assert!(
            parse_graph(&graph).1.iter().any(|d| d.id == Id::LIMIT) || !text.starts_with("axiom")
        );
    }
}

#[test]
fn deep_errors() {
    // An error under many open brackets: the parser goes back through all of them.
    let text = format!("axiom {} ] {}", "(".repeat(9_000), "x ".repeat(200_000));
    assert!(!exercise(&text).is_empty());
}

#[test]
fn an_error_does_not_hide_the_others() {
    let (program, diagnostics) = parse_boogie(
        "var x: int\nprocedure p() {\n  x := ;\n  x := 2 2;\n}\naxiom 1 +;\nfunction f(x: int) returns (int);\n",
    );
    assert_eq!(diagnostics.len(), 4, "{diagnostics:?}");
    assert!(
        matches!(program.decls.last(), Some(Decl::Function(f)) if matches!(f.result.ty.kind, TypeKind::Int))
    );
    assert!(
        program
            .decls
            .iter()
            .any(|d| matches!(d, Decl::Procedure(p) if p.body.is_some()))
    );
}
