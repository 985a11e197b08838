//! What texts mean: how operators group, and which node each construct becomes.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test; its helpers are shared with others"
)]

mod support;

use num_bigint::BigUint;
use ult_lang::ast::*;
use ult_lang::parse::{parse_boogie, parse_graph};

fn program(text: &str) -> Program {
    let (program, diagnostics) = parse_boogie(text);
    assert!(
        diagnostics.is_empty(),
        "{}",
        support::render(text, &diagnostics)
    );
    program
}

fn axiom(text: &str) -> Expr {
    let program = program(&format!("axiom {text};"));
    let [Decl::Axiom(axiom)] = &program.decls[..] else {
        panic!("{text} is no expression")
    };
    axiom.expr.clone()
}

fn body(text: &str) -> Body {
    let program = program(&format!("procedure p() {{ {text} }}"));
    let [Decl::Procedure(procedure)] = &program.decls[..] else {
        panic!("{text}")
    };
    procedure.body.clone().expect("a body")
}

fn stmts(text: &str) -> Vec<StmtKind> {
    body(text)
        .block
        .stmts
        .into_iter()
        .map(Stmt::into_kind)
        .collect()
}

/// The expression with parentheses around every operation of two operands, as the chains are read.
fn grouped(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Ident(name) => name.name.to_string(),
        ExprKind::Primed(name) => format!("{}'", name.name),
        ExprKind::Literal(Literal::Int(n)) => n.to_string(),
        ExprKind::Unary {
            op: UnaryOp::Not,
            operand,
        } => format!("!{}", grouped(operand)),
        ExprKind::Unary {
            op: UnaryOp::Neg,
            operand,
        } => format!("-{}", grouped(operand)),
        ExprKind::Is {
            operand,
            constructor,
        } => format!("({} is {})", grouped(operand), constructor.name),
        ExprKind::Ascription { operand, .. } => format!("({}: T)", grouped(operand)),
        ExprKind::Select { map, indices } => {
            format!(
                "{}[{}]",
                grouped(map),
                indices.iter().map(grouped).collect::<Vec<_>>().join(",")
            )
        }
        ExprKind::Field { operand, field } => format!("{}->{}", grouped(operand), field.name),
        ExprKind::IfThenElse {
            branches,
            otherwise,
        } => {
            let branches: String = branches
                .iter()
                .map(|(c, v)| format!("if {} then {} else ", grouped(c), grouped(v)))
                .collect();
            format!("({branches}{})", grouped(otherwise))
        }
        ExprKind::Chain { first, rest } => {
            let op = |link: &ChainLink| link.op.text();
            if rest[0].op.is_right_associative() {
                let mut operands: Vec<String> =
                    rest.iter().map(|link| grouped(&link.operand)).collect();
                let mut out = operands.pop().expect("an operand");
                for (link, operand) in rest.iter().skip(1).zip(operands).rev() {
                    out = format!("({operand} {} {out})", op(link));
                }
                format!("({} {} {out})", grouped(first), op(&rest[0]))
            } else {
                rest.iter().fold(grouped(first), |out, link| {
                    format!("({out} {} {})", op(link), grouped(&link.operand))
                })
            }
        }
        other => panic!("not in these tests: {other:?}"),
    }
}

#[test]
fn precedence_and_associativity() {
    for (text, expected) in [
        ("a <==> b ==> c", "(a <==> (b ==> c))"),
        ("a <==> b <==> c", "((a <==> b) <==> c)"),
        ("a ==> b ==> c", "(a ==> (b ==> c))"),
        ("a <== b <== c", "((a <== b) <== c)"),
        ("a ==> b <== c", "(a ==> (b <== c))"),
        ("a && b ==> c || d", "((a && b) ==> (c || d))"),
        ("a == b && c != d", "((a == b) && (c != d))"),
        ("a < b + c", "(a < (b + c))"),
        ("a <: b", "(a <: b)"),
        ("a ++ b + c", "(a ++ (b + c))"),
        ("a - b - c + d", "(((a - b) - c) + d)"),
        (
            "a + b * c div d mod e / f % g",
            "(a + (((((b * c) div d) mod e) / f) mod g))",
        ),
        ("a * b ** c ** d", "(a * (b ** (c ** d)))"),
        ("-a ** b", "(-a ** b)"),
        ("- - a - b", "(--a - b)"),
        ("!a && b", "(!a && b)"),
        ("!a is C", "(!a is C)"),
        ("!a[i]->f", "!a[i]->f"),
        ("-a: int + b", "(-(a: T) + b)"),
        ("a: T < b", "((a: T) < b)"),
        ("if a then b else c + d", "(if a then b else (c + d))"),
        (
            "x + if a then b else if c then d else e - f",
            "(x + (if a then b else if c then d else (e - f)))",
        ),
        ("!if a then b else c && d", "!(if a then b else (c && d))"),
        (
            "a ∧ ¬b ⇒ c ∨ d ⇔ x ≤ y",
            "(((a && !b) ==> (c || d)) <==> (x <= y))",
        ),
        ("is is is", "(is is is)"),
    ] {
        assert_eq!(grouped(&axiom(text)), expected, "{text}");
    }
}

#[test]
fn names() {
    for (text, expected) in [
        ("$x#1.y~0", "$x#1.y~0"),
        ("\\old", "old"),
        ("x'", "x'"),
        ("a`b^c?", "a`b^c?"),
        ("push", "push"),
        ("é", "é"),
    ] {
        assert!(
            matches!(axiom(text).kind, ExprKind::Ident(ref name) if &*name.name == expected),
            "{text}"
        );
    }
}

#[test]
fn literals() {
    let literal = |text: &str| match axiom(text).into_kind() {
        ExprKind::Literal(literal) => literal,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(literal("007"), Literal::Int(7u32.into()));
    assert_eq!(
        literal("1.50"),
        Literal::Real(Decimal {
            mantissa: 150u32.into(),
            exponent: -2
        })
    );
    assert_eq!(
        literal("2e5"),
        Literal::Real(Decimal {
            mantissa: 2u32.into(),
            exponent: 5
        })
    );
    assert_eq!(
        literal("1.5e-3"),
        Literal::Real(Decimal {
            mantissa: 15u32.into(),
            exponent: -4
        })
    );
    assert_eq!(
        literal("5bv8"),
        Literal::BitVector {
            value: 5u32.into(),
            width: 8
        }
    );
    assert_eq!(
        literal("0bv0"),
        Literal::BitVector {
            value: BigUint::default(),
            width: 0
        }
    );
    assert_eq!(
        literal("RNE"),
        Literal::RoundingMode(RoundingMode::NearestTiesToEven)
    );
    assert_eq!(
        literal(r#""a\"b\c""#),
        Literal::String(r#"a"b\c"#.to_owned())
    );
    let format = FloatFormat {
        significand: 24,
        exponent: 8,
    };
    let hex = FloatValue::Hex {
        mantissa: 0x18eu32.into(),
        fraction_digits: 2,
        exponent: 0,
    };
    assert_eq!(
        literal("0x1.8ee0f24e8"),
        Literal::Float(FloatLiteral { value: hex, format })
    );
    assert_eq!(
        literal("0NaN24e8"),
        Literal::Float(FloatLiteral {
            value: FloatValue::NaN,
            format
        })
    );
    let infinity = FloatValue::Infinity { negative: true };
    assert_eq!(
        literal("0-oo24e8"),
        Literal::Float(FloatLiteral {
            value: infinity,
            format
        })
    );
}

#[test]
fn maps_and_bits() {
    assert!(
        matches!(axiom("m[i, j]").kind, ExprKind::Select { ref indices, .. } if indices.len() == 2)
    );
    assert!(
        matches!(axiom("m[]").kind, ExprKind::Select { ref indices, .. } if indices.is_empty())
    );
    assert!(
        matches!(axiom("m[i := e]").kind, ExprKind::Store { ref indices, .. } if indices.len() == 1)
    );
    assert!(matches!(
        axiom("x[8:0]").kind,
        ExprKind::Extract {
            high: 8,
            low: 0,
            ..
        }
    ));
    assert!(matches!(
        axiom("e->(f := v)").kind,
        ExprKind::FieldUpdate { .. }
    ));
}

#[test]
fn binders() {
    let ExprKind::Quantifier(q) =
        axiom("(∀<a> x, y: int, z: [a]bv8 • {:w 1} {f(x), z} {y} x == y)").into_kind()
    else {
        panic!("no quantifier")
    };
    assert_eq!(
        (
            q.type_params.len(),
            q.vars.len(),
            q.attributes.len(),
            q.triggers.len()
        ),
        (1, 2, 1, 2)
    );
    assert_eq!(q.triggers[0].exprs.len(), 2);
    assert!(matches!(
        axiom("(lambda x: int :: x)[3]").kind,
        ExprKind::Select { .. }
    ));
    let ExprKind::Let(binding) = axiom("(var x, y := 1, 2; x + y)").into_kind() else {
        panic!("no let")
    };
    assert_eq!((binding.names.len(), binding.values.len()), (2, 2));
    let ExprKind::Code(code) = axiom("|{ var x: int; A: goto B; B: return x > 0; }|").into_kind()
    else {
        panic!("no code expression")
    };
    assert_eq!((code.locals.len(), code.stmts.len()), (1, 4));
    assert!(matches!(code.stmts[3].kind, StmtKind::Return(Some(_))));
}

#[test]
fn types() {
    let ty = |text: &str| match program(&format!("var x: {text};")).decls.pop() {
        Some(Decl::Var(var)) => var.groups[0].ty.kind.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(ty("bv0"), TypeKind::BitVector(0));
    assert_eq!(
        ty("float24e8"),
        TypeKind::Float(FloatFormat {
            significand: 24,
            exponent: 8
        })
    );
    assert!(matches!(ty("bvx"), TypeKind::Named { .. }));
    assert!(matches!(ty("C int (D a) b"), TypeKind::Named { ref args, .. } if args.len() == 3));
    // The last argument may be a map type without parentheses.
    assert!(matches!(ty("C int <a>[a]int"), TypeKind::Named { ref args, .. } if args.len() == 2));
    assert!(
        matches!(ty("<a, b>[a, b][]int"), TypeKind::Map { ref params, ref domain, .. }
        if params.len() == 2 && domain.len() == 2)
    );
}

#[test]
fn declarations() {
    let program = program(
        "type {:datatype} finite T a, S = int;\n\
         datatype List<a> { Nil(), Cons(head: a, tail: List a) }\n\
         const unique c, d: T extends unique e, f complete;\n\
         const g: int <: ;\n\
         const h: T uses { axiom true; }\n\
         function {:inline} f<a>(x: int, T a, y: a) : bool { true } uses { axiom {:x} true; hideable axiom false; }\n\
         function g(int) returns (r: int);\n\
         var {:a} x, y: int where x > y, z: bool;\n\
         pure procedure p();\n  free requires {:a} true;\n  modifies ;\n  free modifies x, y;\n\
         procedure q(x: int where x > 0) returns (y, z: int) ensures y > z; { }\n\
         implementation q(x: int) returns (y, z: int) { }\n",
    );
    let [
        Decl::Type(types),
        Decl::Datatype(list),
        Decl::Const(consts),
        Decl::Const(order),
        Decl::Const(uses),
        Decl::Function(f),
        Decl::Function(g),
        Decl::Var(var),
        Decl::Procedure(p),
        Decl::Procedure(q),
        Decl::Implementation(_),
    ] = &program.decls[..]
    else {
        panic!("{program:?}")
    };
    assert!(
        types.finite
            && types.items.len() == 2
            && types.items[0].params.len() == 1
            && types.items[1].synonym.is_some()
    );
    assert_eq!(
        list.constructors
            .iter()
            .map(|c| c.fields.len())
            .collect::<Vec<_>>(),
        [0, 2]
    );
    assert!(consts.unique && consts.complete);
    assert_eq!(
        consts
            .parents
            .as_ref()
            .map(|p| p.iter().map(|p| p.unique).collect::<Vec<_>>()),
        Some(vec![true, false])
    );
    assert_eq!(order.parents, Some(vec![]));
    assert_eq!(uses.uses.len(), 1);
    assert_eq!(
        f.params.iter().map(|p| p.names.len()).collect::<Vec<_>>(),
        [1, 0, 1]
    );
    assert!(f.body.is_some() && f.uses.len() == 2);
    assert!(g.body.is_none() && g.result.names.len() == 1);
    assert!(
        var.groups.len() == 2 && var.groups[0].where_clause.is_some() && var.attributes.len() == 1
    );
    assert!(p.pure_ && p.specs.iter().map(|s| s.free).eq([true, false, true]) && p.body.is_none());
    assert!(q.signature.results[0].names.len() == 2 && q.specs.len() == 1 && q.body.is_some());
}

#[test]
fn statements() {
    use StmtKind::*;
    let [Label(label), Goto(labels)] = &stmts("$a: goto $a, push;")[..] else {
        panic!("goto")
    };
    assert!(&*label.name == "$a" && labels.len() == 2);
    let [Assign { targets, values }] = &stmts("x, m[i][j]->f := 1, 2;")[..] else {
        panic!("assignment")
    };
    assert_eq!(
        (targets[0].path.len(), targets[1].path.len(), values.len()),
        (0, 3, 2)
    );
    assert!(matches!(&stmts("C(x, y) := e;")[..], [Unpack { targets, .. }] if targets.len() == 2));
    assert!(
        matches!(&stmts("call p();")[..], [Call { free: false, call }] if call.targets.is_empty())
    );
    assert!(
        matches!(&stmts("free call {:a} x, y := p(1);")[..], [Call { free: true, call }]
        if call.targets.len() == 2 && call.attributes.len() == 1)
    );
    assert!(
        matches!(&stmts("call forall p(*, 1);")[..], [CallForall { args, .. }]
        if matches!(args[..], [CallArg::Any(_), CallArg::Expr(_)]))
    );
    assert!(matches!(
        &stmts("call p() | q(); par p() | x := q(); async call p();")[..],
        [
            Unsupported(ult_lang::ast::Unsupported::ParallelCall(_)),
            Unsupported(ult_lang::ast::Unsupported::ParallelCall(_)),
            Unsupported(ult_lang::ast::Unsupported::AsyncCall(_)),
        ]
    ));
    assert!(matches!(
        &stmts("yield; push; pop; hide f; reveal *; atomic { x := 1; }")[..],
        [
            Unsupported(_),
            Unsupported(_),
            Unsupported(_),
            Unsupported(_),
            Unsupported(_),
            Unsupported(_)
        ]
    ));
    assert!(matches!(
        &stmts("break; break l; return; havoc x, y; push := 1; atomic: hide(x) := 1;")[..],
        [
            Break(None),
            Break(Some(_)),
            Return(None),
            Havoc(_),
            Assign { .. },
            Label(_),
            Unpack { .. }
        ]
    ));
    let [
        If {
            branches,
            otherwise: Some(_),
        },
    ] = &stmts("if (*) { } else if (x) { y := 1; } else { }")[..]
    else {
        panic!("if")
    };
    assert!(matches!(
        branches[..],
        [(Guard::Any(_), _), (Guard::Expr(_), _)]
    ));
    let [While { invariants, .. }] =
        &stmts("while (b) invariant {:a} x; free invariant y; { }")[..]
    else {
        panic!("while")
    };
    assert!(invariants.iter().map(|i| i.free).eq([false, true]));
    let attributed = body(
        "var {:a} x: int; assert {:b 1, \"s\"} true; x := {:c} 1; goto {:d} l; if {:e} (*) { }",
    );
    assert!(
        attributed
            .block
            .stmts
            .iter()
            .all(|s| s.attributes.len() == 1)
            && attributed.locals.len() == 1
    );
}

#[test]
fn spans() {
    let text = "axiom  f(x) +  (y * 2) ;";
    let Some(Decl::Axiom(axiom)) = program(text).decls.pop() else {
        panic!("no axiom")
    };
    let ExprKind::Chain { first, rest } = &axiom.expr.kind else {
        panic!("no chain")
    };
    let at = |span: ult_lang::span::Span| &text[span.range()];
    assert_eq!(at(axiom.span), text);
    assert_eq!(at(axiom.expr.span), "f(x) +  (y * 2)");
    assert_eq!(
        (
            at(first.span),
            at(rest[0].op_span),
            at(rest[0].operand.span)
        ),
        ("f(x)", "+", "(y * 2)")
    );
}

#[test]
fn graphs() {
    let text = "type T; const c: int; function f(x: int) returns (int); axiom f(c) > 0;\n\
        graph main {\n  var x, y: int;\n  init start;\n  location {:line 3} loop \"the head\";\n  error `bad one` \"a \\\"b\\\"\";\n\
        \u{20} start -> loop: x' == 0 && y' == 0;\n  loop -> loop {:line 12} {\n    local a#1: int;\n    let d1 := a#1 + x;\n\
        \u{20}   havoc m;\n    x' == d1 && `a``b c`' == y + 1\n  }\n  loop -> `bad one`: x < 0;\n  loop -> loop;\n}\n\
        graph `graph` { }\n";
    let (file, diagnostics) = parse_graph(text);
    assert!(
        diagnostics.is_empty(),
        "{}",
        support::render(text, &diagnostics)
    );
    assert_eq!((file.decls.len(), file.graphs.len()), (4, 2));
    let graph = &file.graphs[0];
    let kinds: Vec<LocationKind> = graph.locations.iter().map(|l| l.kind).collect();
    assert_eq!(
        kinds,
        [LocationKind::Init, LocationKind::Plain, LocationKind::Error]
    );
    assert_eq!(graph.locations[2].description.as_deref(), Some("a \"b\""));
    assert_eq!(&*graph.locations[2].name.name, "bad one");
    let edge = &graph.edges[1];
    assert_eq!(
        (
            edge.attributes.len(),
            edge.locals.len(),
            edge.havocs.len(),
            edge.lets.len()
        ),
        (1, 1, 1, 1)
    );
    assert_eq!(
        edge.formula.as_ref().map(grouped),
        Some("((x' == d1) && (a`b c' == (y + 1)))".to_owned())
    );
    assert_eq!(graph.edges[3].formula, None);
    assert_eq!(&*file.graphs[1].name.name, "graph");
}
