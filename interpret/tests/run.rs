//! Programs are run, and what becomes of them is what the language says.

#![allow(clippy::unwrap_used, reason = "a test")]

use ult_interpret::{Choices, End, Limits, Outcome, Program, run};
use ult_lang::hir::ProcedureId;

/// Runs a Boogie program from its first procedure with a body.
fn boogie(text: &str, choices: &Choices, show: &[&str]) -> Outcome {
    let (program, problems) = ult_lang::analyze_boogie(text);
    let errors: Vec<_> = problems.iter().filter(|p| p.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let entry = program
        .procedures
        .iter()
        .position(|procedure| !procedure.implementations.is_empty())
        .unwrap();
    let limits = Limits {
        steps: Some(1_000_000),
        show: show.iter().map(|name| (*name).to_owned()).collect(),
        results_of: None,
    };
    let compiled = Program::new(&program, ProcedureId::new(entry), &|_| true);
    run(&compiled, choices, &limits, &|| true)
}

fn inputs(values: &[i64]) -> Choices {
    Choices {
        inputs: values.iter().map(|value| (*value).into()).collect(),
        seed: None,
    }
}

fn seeded(seed: u64) -> Choices {
    Choices {
        inputs: Vec::new(),
        seed: Some(seed),
    }
}

/// Runs a program that must reach its end.
#[track_caller]
fn finishes(text: &str) {
    for choices in [Choices::default(), seeded(1), seeded(2), seeded(3)] {
        let outcome = boogie(text, &choices, &[]);
        assert_eq!(
            outcome.end,
            End::Finished,
            "{choices:?} {:?}",
            outcome.stack
        );
    }
}

/// How a program ends.
fn end(text: &str) -> End {
    boogie(text, &Choices::default(), &[]).end
}

#[test]
fn arithmetic_is_boogies() {
    finishes(
        "procedure p() {
           assert 7 div 2 == 3 && (-7) div 2 == -4 && 7 div (-2) == -3 && (-7) div (-2) == 4;
           assert 7 mod 2 == 1 && (-7) mod 2 == 1 && (-7) mod (-2) == 1;
           assert 170141183460469231731687303715884105727 + 1 == 170141183460469231731687303715884105728;
           assert 99999999999999999999 * 99999999999999999999 == 9999999999999999999800000000000000000001;
           assert 1.0 / 3.0 + 2.0 / 3.0 == 1.0 && int(2.5) == 2 && int(-2.5) == -3;
         }",
    );
}

#[test]
fn bit_vectors_are_those_of_the_solver() {
    finishes(
        r#"function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
         function {:bvbuiltin "bvsdiv"} sdiv(bv8, bv8) returns (bv8);
         function {:bvbuiltin "bvudiv"} udiv(bv8, bv8) returns (bv8);
         function {:bvbuiltin "bvsrem"} srem(bv8, bv8) returns (bv8);
         function {:bvbuiltin "bvsmod"} smod(bv8, bv8) returns (bv8);
         function {:bvbuiltin "bvashr"} ashr(bv8, bv8) returns (bv8);
         function {:bvbuiltin "bvshl"} shl(bv8, bv8) returns (bv8);
         function {:bvbuiltin "bvsgt"} sgt(bv8, bv8) returns (bool);
         function {:bvbuiltin "sign_extend 8"} sext(bv8) returns (bv16);
         function {:bvbuiltin "zero_extend 8"} zext(bv8) returns (bv16);
         procedure p() {
           assert add(200bv8, 100bv8) == 44bv8;
           assert sdiv(249bv8, 2bv8) == 253bv8 && srem(249bv8, 2bv8) == 255bv8 && smod(249bv8, 2bv8) == 1bv8;
           assert udiv(7bv8, 0bv8) == 255bv8 && sdiv(249bv8, 0bv8) == 1bv8 && srem(7bv8, 0bv8) == 7bv8;
           assert ashr(128bv8, 9bv8) == 255bv8 && shl(1bv8, 8bv8) == 0bv8 && ashr(192bv8, 1bv8) == 224bv8;
           assert sgt(1bv8, 255bv8) && sext(128bv8) == 65408bv16 && zext(128bv8) == 128bv16;
           assert 5bv8 ++ 6bv8 == 1286bv16 && 1286bv16[11:8] == 5bv3;
         }"#,
    );
}

#[test]
fn floats_are_rounded_once() {
    finishes(
        r#"type float = float24e8;
         function {:builtin "fp.add RNE"} plus(float24e8, float24e8) returns (float24e8);
         function {:builtin "fp.isNaN"} nan(float24e8) returns (bool);
         function {:builtin "(_ fp.to_sbv 8) RTZ"} trunc(float24e8) returns (bv8);
         function {:builtin "(_ to_fp 8 24) RNE"} of(bv8) returns (float24e8);
         procedure p() {
           assert trunc(plus(of(3bv8), of(252bv8))) == 255bv8;
           assert nan(0NaN24e8) && 0NaN24e8 == 0NaN24e8 && !nan(of(0bv8));
           assert trunc(of(3bv8) / of(2bv8)) == 1bv8;
           assert of(1bv8) < of(2bv8);
         }"#,
    );
}

#[test]
fn maps_are_values() {
    finishes(
        "procedure p() {
           var a, b: [int]int; var c: [int][bool]int; var d: [int, int]bool; var i: int;
           a := (lambda k: int :: 2 * k);
           b := a;
           b[3] := 0;
           assert a[3] == 6 && b[3] == 0 && b[4] == 8;
           a := b[4 := 1];
           assert a[4] == 1 && b[4] == 8;
           c[1][true] := 5;
           c[1][false] := 6;
           c[2] := c[1];
           c[2][true] := 7;
           assert c[1][true] == 5 && c[2][true] == 7 && c[2][false] == 6;
           d[1, 2] := true;
           d[2, 1] := false;
           assert d[1, 2] && !d[2, 1];
           assert (forall k: int :: 0 <= k && k < 10 && k != 3 && k != 4 ==> a[k] == 2 * k);
           assert (exists k: int :: 0 <= k && k < 5 && a[k] == 1);
           i := 4;
           a[i], i := i, a[i];
           assert i == 1 && a[4] == 4;
         }",
    );
}

#[test]
fn calls_recursion_and_old_values() {
    finishes(
        "var g: int;
         procedure main() modifies g; {
           var r: int;
           g := 5;
           call r := fib(10);
           assert r == 55;
           call bump(3);
           assert g == 8;
           call r := anything(4);
           assert r > 4 && g == 9;
         }
         procedure fib(n: int) returns (r: int) {
           var a, b: int;
           if (n < 2) { r := n; return; }
           call a := fib(n - 1);
           call b := fib(n - 2);
           r := a + b;
         }
         procedure bump(by: int) modifies g; requires by > 0; ensures g == old(g) + by; { g := g + by; }
         procedure anything(n: int) returns (r: int); modifies g; ensures r > n && g == old(g) + 1;",
    );
}

#[test]
fn datatypes_and_functions() {
    finishes(
        "datatype list { nil(), cons(head: int, tail: list) }
         function length(l: list) returns (int) { if l is nil then 0 else 1 + length(l->tail) }
         function double(x: int) returns (int);
         axiom (forall x: int :: {double(x)} double(x) == x + x);
         const limit: int;
         axiom limit > 10 && limit < 13;
         procedure p() {
           var l: list;
           l := cons(1, cons(2, nil()));
           assert length(l) == 2 && l->tail->head == 2;
           l := l->(head := 9);
           assert l == cons(9, cons(2, nil()));
           assert double(21) == 42;
           assert limit == 11 || limit == 12;
         }",
    );
}

#[test]
fn ways_that_are_assumed_away_are_not_taken() {
    finishes(
        "procedure p(n: int) requires 3 <= n && n <= 5; {
           var i, x, y: int;
           while (*) { assume i < n; i := i + 1; }
           goto low, high;
           low: assume n <= 4; x := 1; goto end;
           high: assume n > 4; x := 2;
           end:
           assert (x == 1) == (n <= 4);
           havoc x, y;
           assume x > 1000 && y == x + 1;
           assert y > 1001;
           havoc x;
           y := x;
           assume -70 < y && y < -60;
           assert x < -60;
         }",
    );
}

#[test]
fn inputs_come_first() {
    let text = "procedure p(n: int) returns (r: int) { var x: int; havoc x; r := n * 10 + x; }";
    let outcome = boogie(text, &inputs(&[4, 2]), &["r", "x"]);
    assert_eq!(outcome.end, End::Finished);
    assert_eq!(outcome.results[0].text, "42");
    let shown: Vec<_> = outcome
        .shown
        .iter()
        .map(|shown| format!("{}={}", shown.name, shown.value))
        .collect();
    assert_eq!(shown, ["r=42", "x=2"]);
    let zero = boogie(text, &Choices::default(), &[]);
    assert_eq!(zero.results[0].text, "0");
    assert_eq!(
        boogie(text, &seeded(5), &[]).results[0].text,
        boogie(text, &seeded(5), &[]).results[0].text
    );
}

#[test]
fn violations_have_a_place_and_a_stack() {
    let text = "procedure p() { call q(0); }\nprocedure q(n: int) { assert n > 0; }";
    let outcome = boogie(text, &Choices::default(), &[]);
    assert!(
        matches!(outcome.end, End::Violated { .. }),
        "{:?}",
        outcome.end
    );
    let names: Vec<_> = outcome.stack.iter().map(|a| a.procedure.as_str()).collect();
    assert_eq!(names, ["q", "p", ""]);
    assert_eq!(&text[outcome.stack[0].span.range()], "assert n > 0;");
    assert!(matches!(
        end("procedure p() { call q(0); } procedure q(n: int) requires n > 0; { }"),
        End::Violated { .. }
    ));
    assert!(matches!(
        end("procedure p() { var i: int; i := 0; while (i < 3) invariant i < 3; { i := i + 1; } }"),
        End::Violated { .. }
    ));
}

#[test]
fn what_does_not_end_well_is_said() {
    assert_eq!(
        end("procedure p() { assume false; assert false; }"),
        End::Blocked
    );
    assert_eq!(end("procedure p() { while (true) { } }"), End::Steps);
    assert!(matches!(
        end("procedure p() { assert {:unsupported \"the moon\"} false; }"),
        End::Unsupported(what) if what == "the moon"
    ));
    assert!(matches!(
        end("procedure p(a: [int]int) { assert (forall k: int :: a[k] * a[k] >= 0); }"),
        End::Unsupported(_)
    ));
    assert!(matches!(
        end("procedure p() { call p(); }"),
        End::Steps | End::Unsupported(_)
    ));
}

#[test]
fn stopping_is_possible() {
    let (program, _) = ult_lang::analyze_boogie("procedure p() { while (true) { } }");
    let compiled = Program::new(&program, ProcedureId::new(0), &|_| true);
    let outcome = run(&compiled, &Choices::default(), &Limits::default(), &|| {
        false
    });
    assert_eq!(outcome.end, End::Stopped);
}

/// Runs a graph from all inputs.
fn graph(text: &str, choices: &Choices) -> Outcome {
    let (program, problems) = ult_lang::analyze_graph(text);
    assert!(problems.iter().all(|p| !p.is_error()), "{problems:?}");
    let compiled = Program::graph(&program, &program.graphs[0]);
    let limits = Limits {
        steps: Some(10_000),
        show: vec!["x".into(), "y".into()],
        results_of: None,
    };
    run(&compiled, choices, &limits, &|| true)
}

#[test]
fn graphs_are_run_edge_by_edge() {
    let text = "graph g { var x, y: int;
         init start; error bad \"too large\";
         start -> loop: x' == 0 && y' == x' + 5;
         loop -> loop: x < y && x' == x + 1;
         loop -> out: x >= y && y' > x && y' < x + 3;
         out -> bad: y == x + 2;
         out -> end: y != x + 2; }";
    let values: Vec<String> = (0..20)
        .map(|seed| {
            let outcome = graph(text, &seeded(seed));
            assert_eq!(outcome.shown[0].value, "5");
            match outcome.end {
                End::Finished => format!("finished {}", outcome.shown[1].value),
                End::Violated { message, .. } => {
                    format!("{} {}", message.unwrap(), outcome.shown[1].value)
                }
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert!(values.contains(&"finished 6".to_owned()), "{values:?}");
    assert!(values.contains(&"too large 7".to_owned()), "{values:?}");
}

/// C programs leave in the variable `check` what they leave there when gcc compiles them: the number in the first line.
#[test]
fn translated_c_computes_what_compiled_c_computes() {
    use ult_c::IntegerEncoding::{Auto, Bits, Math};
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut in_math = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap();
        let expected: u32 = first
            .strip_prefix("//# checksum: ")
            .unwrap()
            .parse()
            .unwrap();
        for integers in [Auto, Bits, Math] {
            let (outcome, check) = c(&text, integers);
            match outcome.end {
                End::Finished => {}
                // Not everything can be said about bits there.
                End::Unsupported(_) if integers == Math => continue,
                other => panic!("{path:?}: {other:?}"),
            }
            assert_eq!(check, expected, "{path:?} {integers:?}");
            let status = outcome.results[0].number.clone().unwrap();
            assert_eq!(status, (expected & 127).into(), "{path:?}");
            if integers == Math {
                in_math.push(path.file_name().unwrap().to_owned());
            }
        }
        count += 1;
    }
    assert!(count >= 4);
    assert!(
        in_math.iter().any(|name| name == "arithmetic.c"),
        "{in_math:?}"
    );
}

/// Runs a C program; the value of `check` at the end, too.
fn c(text: &str, integers: ult_c::IntegerEncoding) -> (Outcome, u32) {
    let options = ult_c::Options {
        integers,
        check_pointers: true,
        ..ult_c::Options::default()
    };
    let program = ult_c::translate(text, &options).unwrap().program;
    let mut procedures = program.procedures.iter();
    let start = procedures
        .position(|procedure| procedure.name == "ULTIMATE.start")
        .unwrap();
    let compiled = Program::new(&program, ProcedureId::new(start), &|_| false);
    let limits = Limits {
        steps: None,
        show: vec!["check".into()],
        results_of: Some("main".into()),
    };
    let outcome = run(&compiled, &Choices::default(), &limits, &|| true);
    let check = outcome.shown[0].value.split("bv").next().unwrap();
    let check = check.parse().unwrap();
    (outcome, check)
}

#[test]
fn clauses_of_results_and_of_locals_hold_together() {
    for text in [
        "procedure main() { var x: int; call x := p(3); assert x > 5; }
         procedure p(h: int) returns (b: int where b > 5) { }",
        "procedure main() { var a: int where a > b; var b: int where b > 3; assert a > b && b > 3; }",
        "procedure main() returns (b: int where c > b, c: int where c == 7) { assert b < 7; }",
    ] {
        for choices in [Choices::default(), seeded(1), seeded(2), seeded(3)] {
            let outcome = boogie(text, &choices, &[]);
            assert!(
                !matches!(outcome.end, End::Violated { .. }),
                "{text}: {outcome:?}"
            );
        }
    }
}
