//! The typed program as text: reading it gives the same typed program.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test; its helpers are shared with others"
)]

#[path = "support/typed.rs"]
mod typed;

use proptest::collection::vec;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use typed::round_trip;
use ult_lang::analyze_boogie;
use ult_lang::hir::*;
use ult_lang::print;
use ult_lang::span::Span;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "bpl") {
            files.push(path);
        }
    }
}

/// The typed program of a correct text.
fn analyzed(text: &str) -> Program {
    let (program, diagnostics) = analyze_boogie(text);
    assert!(
        !diagnostics.iter().any(|d| d.is_error()),
        "{diagnostics:#?}"
    );
    program
}

#[track_caller]
fn printed(text: &str) -> String {
    round_trip(&analyzed(text)).unwrap_or_else(|difference| panic!("{difference}"))
}

#[test]
fn programs_of_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in [
        "tests/corpus",
        "examples",
        "benches",
        "lang/tests",
        "stdlib",
    ] {
        collect(&root.join(folder), &mut files);
    }
    let mut checked = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let (program, diagnostics) = analyze_boogie(&text);
        // Whatever the program: it is printed.
        let printed = print::typed(&program);
        if diagnostics.iter().any(|d| d.is_error()) {
            continue;
        }
        let lost = ["parallel call", "asynchronous call"]
            .into_iter()
            .find(|what| format!("{program:?}").contains(what));
        if let Some(what) = lost {
            assert!(printed.contains(&format!("assert {{:unsupported \"{what}\"}} false;")));
            continue;
        }
        if format!("{program:?}").contains("Code {") {
            assert!(printed.contains("goto forever;"));
            continue;
        }
        if let Err(difference) = round_trip(&program) {
            panic!("{}: {difference}", file.display());
        }
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn a_program_with_everything() {
    insta::assert_snapshot!(printed(include_str!("typed_text/everything.bpl")));
}

#[test]
fn hidden_variables_get_other_names() {
    let mut program = analyzed(
        "var g: int; const c: int;
         procedure p(x: int) returns (r: int) requires g > 0; modifies g;
         { var y: int; y := g; assert (forall z: int :: z > y ==> c < z); r := x; a: goto a, b; b: }",
    );
    // What was `y` is called like the global that it is computed from, and `z` like what it is compared with.
    program.implementations[0].locals[0].name = "g".to_owned();
    program.implementations[0].labels[1].name = "a".to_owned();
    let StmtKind::Assert { condition, .. } = &mut program.implementations[0].body[1].kind else {
        panic!("no assertion");
    };
    let ExprKind::Quantifier { bound, .. } = &mut condition.kind else {
        panic!("no quantifier");
    };
    bound[0].name = "c".to_owned();
    let text = print::typed(&program);
    let (again, diagnostics) = analyze_boogie(&text);
    assert!(!diagnostics.iter().any(|d| d.is_error()), "{text}");
    assert_eq!(print::typed(&again), text);
    insta::assert_snapshot!(text);
}

#[test]
fn a_break_out_of_an_outer_loop_gets_a_label() {
    let mut program = analyzed(
        "procedure p(x: int) { while (*) { while (*) { if (x > 0) { break; } } } assert false; }",
    );
    let StmtKind::While { id, body, .. } = &mut program.implementations[0].body[0].kind else {
        panic!("no loop");
    };
    let outer = *id;
    let StmtKind::While { body, .. } = &mut body[0].kind else {
        panic!("no loop");
    };
    let StmtKind::If { then, .. } = &mut body[0].kind else {
        panic!("no condition");
    };
    then[0].kind = StmtKind::Break(outer);
    let text = print::typed(&program);
    assert_eq!(print::typed(&analyzed(&text)), text);
    insta::assert_snapshot!(text);
}

#[test]
fn what_has_no_text_is_never_read_as_something_else() {
    let mut program = analyzed("const a: int; axiom a - a - a == 0;");
    let ExprKind::Binary(_, left, _) = &mut program.background.axioms[0].formula.kind else {
        panic!("no equation");
    };
    let ExprKind::Binary(_, middle, _) = &mut left.kind else {
        panic!("no difference");
    };
    let ExprKind::Binary(_, _, operand) = &mut middle.kind else {
        panic!("no difference");
    };
    **operand = Expr::error(NOWHERE);
    let text = print::typed(&program);
    assert!(text.contains("axiom a - (/* an expression with an error */) - a == 0;"));
    assert!(analyze_boogie(&text).1.iter().any(|d| d.is_error()));
}

/// Time and stack are in proportion to the size.
#[test]
fn large_and_deep_programs() {
    let sum = "x + 1 - ".repeat(20_000);
    let steps = "m[x][y] := m[y][x] + 1; ".repeat(20_000);
    let elses = "if (x > 0) { x := 1; } else ".repeat(4_000);
    let brackets = ("(".repeat(3_000), " * 2 + 1)".repeat(3_000));
    let text = format!(
        "var x, y: int; var m: [int][int]int;
         procedure p() modifies x, m; {{ x := {sum} 2; {steps} {elses} {{ }} x := {}x{}; }}",
        brackets.0, brackets.1
    );
    let program = analyzed(&text);
    let printed = print::typed(&program);
    assert_eq!(print::typed(&analyzed(&printed)), printed);
}

// Random formulas.

fn constant(index: u32, ty: Type) -> Expr {
    let var = VarRef::Constant(ConstantId(index));
    Expr::new(ExprKind::Var(var), ty, NOWHERE)
}

const FLOAT: Type = Type::Float {
    significand: 24,
    exponent: 8,
};

/// One constant of each of these types, and a map.
fn types() -> Vec<Type> {
    vec![
        Type::Bool,
        Type::Int,
        Type::Real,
        Type::BitVec(8),
        FLOAT,
        Type::map(vec![Type::Int], Type::Int),
    ]
}

fn leaf(ty: &Type) -> BoxedStrategy<Expr> {
    let own = ty.clone();
    let index = types().iter().position(|known| known == ty).unwrap();
    let literal = match ty {
        Type::Bool => any::<bool>().prop_map(ExprKind::Bool).boxed(),
        // The variable bound next to it, if there is one.
        Type::Int => prop_oneof![
            any::<u64>().prop_map(|n| ExprKind::Int(n.into())),
            Just(ExprKind::Var(VarRef::Bound(BoundId(u32::MAX)))),
        ]
        .boxed(),
        Type::Real => (any::<u32>(), 0_u32..50, 0_u32..50)
            .prop_map(|(n, twos, fives)| {
                let power = |base: u32, n| num_bigint::BigInt::from(base).pow(n);
                let scale = power(2, twos) * power(5, fives);
                let value = match n % 2 {
                    0 => num_rational::BigRational::new(n.into(), scale),
                    _ => (num_bigint::BigInt::from(n) * scale).into(),
                };
                ExprKind::Real(value)
            })
            .boxed(),
        Type::BitVec(_) => any::<u8>()
            .prop_map(|n| ExprKind::BitVec {
                value: n.into(),
                width: 8,
            })
            .boxed(),
        Type::Float { .. } => prop_oneof![
            any::<f32>().prop_map(|value| {
                let bits = value.to_bits() & 0x7fff_ffff;
                let literal = match (value.is_nan(), value.is_infinite()) {
                    (true, _) => FloatLiteral::NaN,
                    (_, true) => FloatLiteral::Infinity {
                        negative: value < 0.0,
                    },
                    _ => FloatLiteral::Bits(bits.into()),
                };
                ExprKind::Float(literal)
            }),
            prop::sample::select(vec![0.0_f32, 1.0, 0.5, 16.0, 255.9375, 1e-45, 3.4e38])
                .prop_map(|value| ExprKind::Float(FloatLiteral::Bits(value.to_bits().into()))),
        ]
        .boxed(),
        _ => Just(ExprKind::Var(VarRef::Constant(ConstantId(5)))).boxed(),
    };
    let expr = literal.prop_map({
        let own = own.clone();
        move |kind| Expr::new(kind, own.clone(), NOWHERE)
    });
    let index = u32::try_from(index).unwrap();
    prop_oneof![expr, Just(constant(index, own))].boxed()
}

fn expr(ty: Type, depth: u32) -> BoxedStrategy<Expr> {
    if depth == 0 {
        return leaf(&ty);
    }
    let of = |ty: Type| expr(ty, depth - 1);
    let boxed = |ty: Type| expr(ty, depth - 1).prop_map(Box::new);
    let pair = |ty: Type| (boxed(ty.clone()), boxed(ty));
    let same = || of(ty.clone());
    let own = match &ty {
        Type::Bool => prop_oneof![
            boxed(Type::Bool).prop_map(ExprKind::Not),
            (
                prop::sample::select(vec![NaryOp::And, NaryOp::Or]),
                vec(same(), 2..4)
            )
                .prop_map(|(op, args)| ExprKind::Nary(op, args)),
            (
                prop::sample::select(vec![BinaryOp::Implies, BinaryOp::Iff, BinaryOp::Eq]),
                pair(Type::Bool)
            )
                .prop_map(|(op, (a, b))| ExprKind::Binary(op, a, b)),
            (
                prop::sample::select(vec![BinaryOp::Lt, BinaryOp::Neq, BinaryOp::Ge]),
                prop_oneof![pair(Type::Int), pair(Type::Real), pair(FLOAT)]
            )
                .prop_map(|(op, (a, b))| ExprKind::Binary(op, a, b)),
            boxed(Type::Bool).prop_map(|body| ExprKind::Quantifier {
                kind: QuantifierKind::Exists,
                type_params: vec![],
                bound: vec![bound("x", Type::Int)],
                triggers: vec![],
                body,
                attributes: vec![],
            }),
        ]
        .boxed(),
        Type::Int => prop_oneof![
            boxed(Type::Int).prop_map(ExprKind::Neg),
            arithmetic(
                &same(),
                vec![BinaryOp::Sub, BinaryOp::IntDiv, BinaryOp::IntMod]
            ),
            boxed(Type::Real).prop_map(ExprKind::RealToInt),
            (boxed(types()[5].clone()), vec(same(), 1)).prop_map(|(map, indices)| {
                ExprKind::Select {
                    map,
                    type_args: vec![],
                    indices,
                }
            }),
        ]
        .boxed(),
        Type::Real => prop_oneof![
            boxed(Type::Real).prop_map(ExprKind::Neg),
            arithmetic(
                &same(),
                vec![BinaryOp::Sub, BinaryOp::RealDiv, BinaryOp::Pow]
            ),
            boxed(Type::Int).prop_map(ExprKind::IntToReal),
        ]
        .boxed(),
        Type::BitVec(_) => (boxed(Type::BitVec(8)), boxed(Type::BitVec(8)), 0_u32..8)
            .prop_map(|(a, b, low)| {
                let concat = Expr::new(ExprKind::Concat(a, b), Type::BitVec(16), NOWHERE);
                ExprKind::Extract {
                    value: Box::new(concat),
                    high: low + 8,
                    low,
                }
            })
            .boxed(),
        Type::Float { .. } => prop_oneof![
            boxed(FLOAT).prop_map(ExprKind::Neg),
            arithmetic(&same(), vec![BinaryOp::Sub, BinaryOp::FloatDiv]),
        ]
        .boxed(),
        _ => prop_oneof![
            (boxed(ty.clone()), vec(of(Type::Int), 1), boxed(Type::Int)).prop_map(
                |(map, indices, value)| ExprKind::Store {
                    map,
                    type_args: vec![],
                    indices,
                    value
                }
            ),
            boxed(Type::Int).prop_map(|body| ExprKind::Lambda {
                type_params: vec![],
                bound: vec![bound("x", Type::Int)],
                body,
                attributes: vec![],
            }),
        ]
        .boxed(),
    };
    let shared = prop_oneof![
        (boxed(Type::Bool), boxed(ty.clone()), boxed(ty.clone())).prop_map(
            |(condition, then, otherwise)| ExprKind::If {
                condition,
                then,
                otherwise
            }
        ),
        (of(Type::Int), boxed(ty.clone())).prop_map(|(value, body)| ExprKind::Let {
            bound: vec![bound("y", Type::Int)],
            values: vec![value],
            body,
            attributes: vec![],
        }),
    ];
    let inner = prop_oneof![3 => own, 1 => shared];
    let result = {
        let ty = ty.clone();
        inner.prop_map(move |kind| Expr::new(kind, ty.clone(), NOWHERE))
    };
    prop_oneof![1 => leaf(&ty), 5 => result].boxed()
}

fn arithmetic(operand: &BoxedStrategy<Expr>, ops: Vec<BinaryOp>) -> BoxedStrategy<ExprKind> {
    let boxed = || operand.clone().prop_map(Box::new);
    prop_oneof![
        (
            prop::sample::select(vec![NaryOp::Add, NaryOp::Mul]),
            vec(operand.clone(), 2..4)
        )
            .prop_map(|(op, args)| ExprKind::Nary(op, args)),
        (prop::sample::select(ops), boxed(), boxed())
            .prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
    ]
    .boxed()
}

fn bound(name: &str, ty: Type) -> Bound {
    Bound {
        id: BoundId(0),
        name: name.to_owned(),
        ty,
        attributes: Vec::new(),
        span: NOWHERE,
    }
}

/// Gives the bound variables their ids; what stands for one refers to the innermost, or is a number.
fn settle(expr: &mut Expr, next: &mut u32, inner: Option<BoundId>) {
    let mut own = inner;
    match &mut expr.kind {
        ExprKind::Var(VarRef::Bound(id)) => match inner {
            Some(inner) => *id = inner,
            None => expr.kind = ExprKind::Int(7.into()),
        },
        ExprKind::Quantifier { bound, .. } | ExprKind::Lambda { bound, .. } => {
            bound[0].id = BoundId(*next);
            own = Some(bound[0].id);
            *next += 1;
        }
        ExprKind::Let {
            bound,
            values,
            body,
            ..
        } => {
            settle(&mut values[0], next, inner);
            bound[0].id = BoundId(*next);
            *next += 1;
            return settle(body, next, Some(bound[0].id));
        }
        _ => {}
    }
    expr.for_each_child_mut(&mut |child| settle(child, next, own));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn formulas(mut formula in expr(Type::Bool, 4)) {
        settle(&mut formula, &mut 0, None);
        let mut program = Program::default();
        for (index, ty) in types().into_iter().enumerate() {
            program.background.constants.push(Constant {
                name: format!("c{index}"),
                ty,
                unique: false,
                order: None,
                attributes: vec![],
                span: NOWHERE,
            });
        }
        program.background.axioms.push(Axiom { formula, attributes: vec![], span: NOWHERE });
        if let Err(difference) = round_trip(&program) {
            prop_assert!(false, "{}", difference);
        }
    }
}
