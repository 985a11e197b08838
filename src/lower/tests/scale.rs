//! Large and deep programs.

use std::fmt::Write as _;

use super::{program, units};
use crate::{Options, Role};
use ult_core::formula::Terms;

#[test]
fn many_statements() {
    let mut text = String::from("procedure p() { var x: int;\n");
    for i in 0..50_000 {
        let _ = writeln!(text, "x := x + {i};");
    }
    text += "assert x > 0; }\n";
    let program = program(&text);
    let terms = Terms::new();
    let lowered = units(&terms, &program, Options::default());
    assert!(lowered[0].graph.graph.edge_count() > 50_000);
}

#[test]
fn deep_nesting() {
    let depth = 3_000;
    let mut text = String::from("procedure p(b: bool) { var x: int;\n");
    text += &"if (b) {".repeat(depth);
    text += "x := 1;";
    text += &"}".repeat(depth);
    let _ = write!(
        text,
        "assert {}b{}; }}",
        "!(b || ".repeat(depth),
        ")".repeat(depth)
    );
    let program = program(&text);
    let terms = Terms::new();
    let lowered = units(&terms, &program, Options::default());
    assert!(lowered[0].graph.graph.edge_count() > 2 * depth);
}

#[test]
fn long_chains_of_calls_and_definitions() {
    let depth = 2_000;
    let mut text = String::new();
    for i in 0..depth {
        let next = i + 1;
        let _ = writeln!(text, "procedure p{i}() {{ call p{next}(); }}");
        let _ = writeln!(text, "function f{i}(x: int): int {{ f{next}(x) }}");
    }
    let _ = writeln!(text, "procedure p{depth}() {{ assert f0(3) > 0; }}");
    let _ = writeln!(text, "function f{depth}(x: int): int {{ x + 1 }}");
    let program = program(&text);
    let terms = Terms::new();
    let options = Options {
        entries: vec!["p0".into()],
        ..Options::default()
    };
    let lowered = units(&terms, &program, options);
    assert_eq!(lowered.len(), 1);
    assert_eq!(lowered[0].obligations.len(), 1);
}

/// Inlining would make 2^40 copies.
#[test]
fn explosion_of_calls_ends_in_contracts() {
    let mut text = String::from("procedure p0() { assert true; }\n");
    for i in 1..40 {
        let before = i - 1;
        let _ = writeln!(
            text,
            "procedure p{i}() {{ call p{before}(); call p{before}(); }}"
        );
    }
    let program = program(&text);
    let terms = Terms::new();
    let options = Options {
        entries: vec!["p39".into()],
        inline_limit: 5_000,
        ..Options::default()
    };
    let lowered = units(&terms, &program, options);
    assert!(!lowered[0].abstracted.is_empty());
    assert!(lowered[0].graph.graph.edge_count() < 10_000);
    assert!(
        lowered[1..]
            .iter()
            .all(|u| u.plan.unwrap().role == Role::Dependency)
    );
}

/// What is long by itself is no reason to do without the body of what it calls.
#[test]
fn long_procedures_inline_what_they_call() {
    let text = format!(
        "var x: int; procedure main() modifies x; {{ {} call last(); }}\nprocedure last() {{ assert x == 3; }}",
        "x := 3; ".repeat(1000)
    );
    let program = program(&text);
    let terms = Terms::new();
    let options = Options {
        entries: vec!["main".into()],
        inline_limit: 100,
        ..Options::default()
    };
    let lowered = units(&terms, &program, options);
    assert!(lowered[0].abstracted.is_empty());
}

/// Expanding all definitions would make 2^60 sums, all of them different.
#[test]
fn explosion_of_definitions_ends_in_axioms() {
    let mut text = String::from("function f0(x: [int]int): int;\n");
    for i in 1..60 {
        let before = i - 1;
        let _ = writeln!(
            text,
            "function f{i}(x: [int]int): int {{ f{before}(x[{i} := 0]) + f{before}(x[{i} := 1]) }}"
        );
    }
    text += "procedure p(x: [int]int) { assert f59(x) > 0; }";
    let program = program(&text);
    let terms = Terms::new();
    let lowered = units(&terms, &program, Options::default());
    assert!(!lowered[0].graph.axioms.is_empty());
}
