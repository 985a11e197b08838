//! Typed programs that are built in Rust: they are what the front end reads from their text, and mistakes of whoever
//! builds them refuse them.

#![allow(clippy::unwrap_used, reason = "a test")]

use ult_lang::build::{BodyBuilder, Misfit, ProgramBuilder, Term, Variable};
use ult_lang::hir::{Program, Type};
use ult_lang::print;
use ult_lang::span::Span;

/// A program with one procedure `p`, a global map of maps `m` and two globals `x` and `c`.
fn built(write: impl FnOnce(&mut ProgramBuilder, &mut BodyBuilder)) -> Result<Program, Misfit> {
    let mut program = ProgramBuilder::default();
    let inner = Type::map(vec![Type::BitVec(8)], Type::Int);
    program.global("m", &Type::map(vec![Type::Int], inner));
    program.global("x", &Type::Int);
    program.global("c", &Type::Bool);
    let ins = [Variable {
        name: "n".to_owned(),
        ty: Type::Int,
    }];
    let id = program.procedure("p", &ins, &[], Vec::new(), Span::default());
    let mut body = BodyBuilder::new(ins);
    write(&mut program, &mut body);
    program.define(id, body, Span::default());
    program.finish()
}

fn var(program: &ProgramBuilder, name: &str) -> Term {
    program.find_global(name).unwrap()
}

#[test]
fn what_is_built_is_what_is_read() {
    let program = built(|program, body| {
        let (m, x, c) = (var(program, "m"), var(program, "x"), var(program, "c"));
        let n = body.find("n").unwrap();
        let t = body.local("t", Type::Int);
        let entry = m
            .select(std::slice::from_ref(&n))
            .select(&[Term::bit_vector(&3.into(), 8)]);
        body.assign(&entry, &x.add(&Term::int(-1)));
        body.assign_all([(&x, &t), (&t, &entry)]);
        body.begin_loop();
        body.begin_if(&c.not().or(&x.less(&n)));
        body.leave_loop();
        body.begin_else();
        body.goto("out");
        body.end();
        body.end();
        body.label("out");
        body.havoc(&t);
        body.assume(&t.at_most(&x), Vec::new());
        program.solver_function(
            "all",
            ("builtin", "MapConst"),
            &[Type::Int],
            &Type::map(vec![Type::BitVec(8)], Type::Int),
        );
        let object = m.select(std::slice::from_ref(&n));
        body.assign(&object, &program.apply("all", &[&Term::int(0)]));
    })
    .unwrap();
    let text = print::typed(&program);
    let (read, diagnostics) = ult_lang::analyze_boogie(&text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    assert_eq!(print::typed(&read), text);
    assert_eq!(
        program.procedures[0].modifies, read.procedures[0].modifies,
        "{text}"
    );
    assert!(text.contains("m[n][3bv8] := x - 1;"), "{text}");
    assert!(text.contains("m[n] := all(0);"), "{text}");
}

#[test]
fn operations_on_constants_are_done() {
    let two = Term::int(2);
    assert_eq!(two.add(&two).as_int(), Some(&4.into()));
    assert_eq!(two.less(&two).as_truth(), Some(false));
    assert_eq!(
        Term::truth(true).and(&Term::truth(false)).as_truth(),
        Some(false)
    );
    assert_eq!(
        Term::bit_vector(&(-1).into(), 8),
        Term::bit_vector(&255.into(), 8)
    );
    let half = num_rational::BigRational::new(1.into(), 2.into());
    assert!(Term::float(&half, 24, 8).is_some());
    let third = num_rational::BigRational::new(1.into(), 3.into());
    assert!(Term::float(&third, 24, 8).is_none());
}

#[test]
fn mistakes_refuse_the_program() {
    type Write = fn(&mut ProgramBuilder, &mut BodyBuilder);
    let mistakes: [(&str, Write); 12] = [
        ("a sum of an int and a bool", |program, body| {
            let sum = var(program, "x").add(&var(program, "c"));
            body.assign(&var(program, "x"), &sum);
        }),
        ("a value of another type", |program, body| {
            body.assign(&var(program, "x"), &Term::truth(true));
        }),
        ("an index of another type", |program, body| {
            let entry = var(program, "m").select(&[Term::truth(true)]);
            body.assign(&entry, &entry);
        }),
        ("a condition that is a number", |program, body| {
            body.assume(&var(program, "x"), Vec::new());
        }),
        ("a comparison of widths", |_, body| {
            let (a, b) = (
                Term::bit_vector(&1.into(), 8),
                Term::bit_vector(&1.into(), 9),
            );
            body.assume(&a.equals(&b), Vec::new());
        }),
        ("bits that are not there", |_, body| {
            let a = Term::bit_vector(&1.into(), 8).extract(9, 1);
            body.assume(&a.equals(&a), Vec::new());
        }),
        ("a function that is not declared", |program, body| {
            body.assume(&program.apply("f", &[]), Vec::new());
        }),
        ("a label that is nowhere", |_, body| body.goto("nowhere")),
        ("a label that stands twice", |_, body| {
            body.label("here");
            body.label("here");
        }),
        ("a block that is not closed", |_, body| body.begin_loop()),
        ("one variable twice at once", |program, body| {
            let x = var(program, "x");
            body.assign_all([(&x, &Term::int(1)), (&x, &Term::int(2))]);
        }),
        ("a name that is taken", |_, body| {
            body.local("n", Type::Bool);
        }),
    ];
    for (what, write) in mistakes {
        assert!(built(write).is_err(), "{what}");
    }
    assert!(built(|_, _| ()).is_ok());
}

#[test]
fn long_sums_are_built_in_linear_time() {
    let program = built(|program, body| {
        let x = var(program, "x");
        let mut sum = x.clone();
        for _ in 0..100_000 {
            sum = sum.add(&x);
        }
        body.assign(&x, &sum);
    });
    assert!(program.is_ok());
}
