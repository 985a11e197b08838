//! What is printed parses to the same tree, for both languages.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test; its helpers are shared with others"
)]

mod support;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::fmt::Debug;
use ult_lang::ast::*;
use ult_lang::parse::{parse_boogie, parse_graph};
use ult_lang::print;
use ult_lang::span::Span;
use ult_lang::token::Language;

const NOWHERE: Span = Span { start: 0, end: 0 };

/// The debug form of a tree without the places, which are printed as `12..34`.
fn shape(tree: &impl Debug) -> String {
    let text = format!("{tree:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(dots) = rest.find("..") {
        let (before, behind) = rest.split_at(dots);
        let behind = &behind[2..];
        let start = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let end = behind.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_span = start.len() < before.len() && end.len() < behind.len();
        out += if is_span { start } else { before };
        out += if is_span { "@" } else { ".." };
        rest = if is_span { end } else { behind };
    }
    out + rest
}

fn name(language: Language) -> BoxedStrategy<Ident> {
    let ordinary = prop_oneof!["[a-z]", "[A-Z_$#~][a-z0-9._#$]{0,6}", "é[a-z]?"];
    // Keywords, soft keywords, rounding modes, and words of the other language
    let words = prop::sample::select(vec![
        "old",
        "int",
        "forall",
        "procedure",
        "if",
        "is",
        "extends",
        "complete",
        "uses",
        "push",
        "atomic",
        "RNE",
        "graph",
        "init",
        "error",
        "local",
        "let",
        "assert",
        "bool",
        "hide",
        "pure",
    ])
    .prop_map(str::to_owned);
    let unusual = match language {
        Language::Boogie => "[a-z'`][a-z0-9'`]{0,4}".boxed(),
        Language::Graph => "[^\n\\p{Cc}]{1,6}".boxed(),
    };
    prop_oneof![6 => ordinary.boxed(), 1 => words.boxed(), 1 => unusual]
        // `finite` and these types are what they are, wherever they stand.
        .prop_filter("built in", |name| {
            !name.starts_with("bv") && !name.starts_with("float") && name != "finite"
        })
        .prop_map(|name| Ident::new(name, NOWHERE))
        .boxed()
}

fn names(language: Language) -> impl Strategy<Value = Vec<Ident>> {
    vec(name(language), 1..3)
}

fn ty(language: Language) -> BoxedStrategy<Type> {
    let leaf = prop_oneof![
        Just(TypeKind::Bool),
        Just(TypeKind::Int),
        Just(TypeKind::Real),
        (0u32..70).prop_map(TypeKind::BitVector),
        (2u32..60, 2u32..12).prop_map(|(significand, exponent)| TypeKind::Float(FloatFormat {
            significand,
            exponent
        })),
        name(language).prop_map(|name| TypeKind::Named { name, args: vec![] }),
    ]
    .prop_map(|kind| Type::new(kind, NOWHERE));
    leaf.prop_recursive(3, 8, 3, move |inner| {
        prop_oneof![
            (name(language), vec(inner.clone(), 1..3))
                .prop_map(|(name, args)| TypeKind::Named { name, args }),
            (vec(name(language), 0..2), vec(inner.clone(), 0..3), inner).prop_map(
                |(params, domain, range)| TypeKind::Map {
                    params,
                    domain,
                    range: Box::new(range)
                }
            ),
        ]
        .prop_map(|kind| Type::new(kind, NOWHERE))
    })
    .boxed()
}

fn literal() -> impl Strategy<Value = Literal> {
    let format = (2u32..60, 2u32..12).prop_map(|(significand, exponent)| FloatFormat {
        significand,
        exponent,
    });
    prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        any::<u128>().prop_map(|n| Literal::Int(n.into())),
        (any::<u64>(), -60i32..60).prop_map(|(m, exponent)| Literal::Real(Decimal {
            mantissa: m.into(),
            exponent
        })),
        (any::<u32>(), 0u32..40).prop_map(|(value, width)| Literal::BitVector {
            value: value.into(),
            width
        }),
        (0u32..2048, 1u32..4, -1i32..2).prop_map(|(mantissa, fraction_digits, exponent)| {
            let value = FloatValue::Hex {
                mantissa: mantissa.into(),
                fraction_digits,
                exponent,
            };
            Literal::Float(FloatLiteral {
                value,
                format: FloatFormat {
                    significand: 24,
                    exponent: 8,
                },
            })
        }),
        (
            prop_oneof![
                Just(FloatValue::NaN),
                any::<bool>().prop_map(|negative| FloatValue::Infinity { negative })
            ],
            format
        )
            .prop_map(|(value, format)| Literal::Float(FloatLiteral { value, format })),
        "[ -~é]{0,6}".prop_map(Literal::String),
        prop::sample::select(vec![
            RoundingMode::NearestTiesToEven,
            RoundingMode::TowardZero
        ])
        .prop_map(Literal::RoundingMode),
    ]
}

/// Operators that form one chain, with the largest number of them.
fn chain_ops() -> impl Strategy<Value = (Vec<BinaryOp>, usize)> {
    use BinaryOp::*;
    prop::sample::select(vec![
        (vec![Iff], 3),
        (vec![Implies], 3),
        (vec![Explies], 3),
        (vec![And], 3),
        (vec![Or], 3),
        (vec![Eq, Neq, Less, LessEq, Greater, GreaterEq, Subtype], 1),
        (vec![Concat], 3),
        (vec![Add, Sub], 3),
        (vec![Mul, Div, IntDiv, Mod], 3),
        (vec![Pow], 3),
    ])
}

fn typed_names(
    language: Language,
    clauses: Option<BoxedStrategy<Expr>>,
) -> BoxedStrategy<TypedIdents> {
    let clause = match clauses {
        Some(clause) => option::weighted(0.2, clause).boxed(),
        None => Just(None).boxed(),
    };
    (names(language), ty(language), clause)
        .prop_map(|(names, ty, where_clause)| TypedIdents {
            attributes: vec![],
            names,
            ty,
            where_clause,
            span: NOWHERE,
        })
        .boxed()
}

fn attributes(language: Language, expr: BoxedStrategy<Expr>) -> BoxedStrategy<Vec<Attribute>> {
    let attribute = (name(language), vec(expr, 0..3)).prop_map(|(name, args)| Attribute {
        name,
        args,
        span: NOWHERE,
    });
    prop_oneof![3 => Just(vec![]), 1 => vec(attribute, 1..3)].boxed()
}

fn expr(language: Language) -> BoxedStrategy<Expr> {
    let own = match language {
        Language::Boogie => name(language).prop_map(ExprKind::Ident).boxed(),
        Language::Graph => name(language).prop_map(ExprKind::Primed).boxed(),
    };
    let leaf = prop_oneof![
        literal().prop_map(ExprKind::Literal),
        name(language).prop_map(ExprKind::Ident),
        own
    ]
    .prop_map(|kind| Expr::new(kind, NOWHERE));
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let list = |least: usize| vec(inner.clone(), least..3);
        let name = || name(language);
        let binder = prop::sample::select(vec![Binder::Forall, Binder::Exists, Binder::Lambda]);
        let trigger = list(1).prop_map(|exprs| Trigger {
            exprs,
            span: NOWHERE,
        });
        prop_oneof![
            (name(), list(0)).prop_map(|(name, args)| ExprKind::Call { name, args }),
            (
                prop::sample::select(vec![UnaryOp::Not, UnaryOp::Neg]),
                boxed()
            )
                .prop_map(|(op, operand)| ExprKind::Unary { op, operand }),
            (
                boxed(),
                chain_ops(),
                vec((inner.clone(), any::<prop::sample::Index>()), 1..4)
            )
                .prop_map(|(first, (ops, most), rest)| {
                    let rest = rest.into_iter().take(most).map(|(operand, op)| ChainLink {
                        op: *op.get(&ops),
                        op_span: NOWHERE,
                        operand,
                    });
                    ExprKind::Chain {
                        first,
                        rest: rest.collect(),
                    }
                }),
            (boxed(), list(0)).prop_map(|(map, indices)| ExprKind::Select { map, indices }),
            (boxed(), list(0), boxed()).prop_map(|(map, indices, value)| ExprKind::Store {
                map,
                indices,
                value
            }),
            (boxed(), 0u32..9, 0u32..9).prop_map(|(operand, low, width)| ExprKind::Extract {
                operand,
                high: low + width,
                low
            }),
            (boxed(), name()).prop_map(|(operand, field)| ExprKind::Field { operand, field }),
            (boxed(), name(), boxed()).prop_map(|(operand, field, value)| ExprKind::FieldUpdate {
                operand,
                field,
                value
            }),
            (boxed(), name()).prop_map(|(operand, constructor)| ExprKind::Is {
                operand,
                constructor
            }),
            (vec((inner.clone(), inner.clone()), 1..3), boxed()).prop_map(
                |(branches, otherwise)| ExprKind::IfThenElse {
                    branches,
                    otherwise
                }
            ),
            boxed().prop_map(ExprKind::Old),
            boxed().prop_map(ExprKind::ToInt),
            boxed().prop_map(ExprKind::ToReal),
            (boxed(), ty(language)).prop_map(|(operand, ty)| ExprKind::Ascription { operand, ty }),
            (
                binder,
                vec(name(), 0..2),
                vec(typed_names(language, None), 1..3),
                attributes(language, inner.clone().boxed()),
                vec(trigger, 0..2),
                inner.clone()
            )
                .prop_map(|(binder, type_params, vars, attributes, triggers, body)| {
                    ExprKind::Quantifier(Box::new(Quantifier {
                        binder,
                        type_params,
                        vars,
                        attributes,
                        triggers,
                        body,
                    }))
                }),
            (
                vec(name(), 1..3),
                list(1),
                attributes(language, inner.clone().boxed()),
                inner.clone()
            )
                .prop_map(|(names, values, attributes, body)| {
                    let names = names.into_iter().map(|name| (vec![], name)).collect();
                    ExprKind::Let(Box::new(Let {
                        names,
                        values,
                        attributes,
                        body,
                    }))
                }),
        ]
        .prop_map(|kind| Expr::new(kind, NOWHERE))
    })
    .boxed()
}

fn boogie_expr() -> BoxedStrategy<Expr> {
    let code = vec(stmt(), 0..3).prop_map(|stmts| {
        Expr::new(
            ExprKind::Code(Box::new(CodeExpr {
                locals: vec![],
                stmts,
            })),
            NOWHERE,
        )
    });
    prop_oneof![20 => expr(Language::Boogie), 1 => code].boxed()
}

fn stmt() -> BoxedStrategy<Stmt> {
    let language = Language::Boogie;
    let name = move || name(language);
    let expr = move || expr(language);
    let call = (
        attributes(language, expr()),
        vec(name(), 0..3),
        name(),
        vec(expr(), 0..3),
    )
        .prop_map(|(attributes, targets, name, args)| Call {
            attributes,
            targets,
            name,
            args,
            span: NOWHERE,
        });
    let step = prop_oneof![
        vec(expr(), 0..3).prop_map(|indices| PathStep::Index(indices, NOWHERE)),
        name().prop_map(PathStep::Field)
    ];
    let target = (name(), vec(step, 0..3)).prop_map(|(name, path)| AssignTarget {
        name,
        path,
        span: NOWHERE,
    });
    let arg = prop_oneof![Just(CallArg::Any(NOWHERE)), expr().prop_map(CallArg::Expr)];
    let simple = prop_oneof![
        expr().prop_map(StmtKind::Assert),
        expr().prop_map(StmtKind::Assume),
        names(language).prop_map(StmtKind::Havoc),
        (vec(target, 1..3), vec(expr(), 1..3))
            .prop_map(|(targets, values)| StmtKind::Assign { targets, values }),
        (name(), vec(name(), 0..3), expr()).prop_map(|(constructor, targets, value)| {
            StmtKind::Unpack {
                constructor,
                targets,
                value,
            }
        }),
        option::of(name()).prop_map(StmtKind::Break),
        names(language).prop_map(StmtKind::Goto),
        option::of(expr()).prop_map(StmtKind::Return),
    ];
    let plain = prop_oneof![
        name().prop_map(StmtKind::Label),
        (any::<bool>(), call.clone()).prop_map(|(free, call)| StmtKind::Call { free, call }),
        (name(), vec(arg, 0..3)).prop_map(|(name, args)| StmtKind::CallForall { name, args }),
        call.clone()
            .prop_map(|call| StmtKind::Unsupported(Unsupported::AsyncCall(call))),
        vec(call, 1..3).prop_map(|calls| StmtKind::Unsupported(Unsupported::ParallelCall(calls))),
        (any::<bool>(), option::of(name())).prop_map(|(reveal, name)| StmtKind::Unsupported(
            Unsupported::Visibility { reveal, name }
        )),
        prop::sample::select(vec![
            Unsupported::Yield,
            Unsupported::Push,
            Unsupported::Pop
        ])
        .prop_map(StmtKind::Unsupported),
    ];
    let leaf = prop_oneof![
        (simple, attributes(language, expr())).prop_map(|(kind, attributes)| Stmt {
            kind,
            attributes,
            span: NOWHERE
        }),
        plain.prop_map(|kind| Stmt {
            kind,
            attributes: vec![],
            span: NOWHERE
        }),
    ];
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let block = || {
            vec(inner.clone(), 0..3).prop_map(|stmts| Block {
                stmts,
                span: NOWHERE,
            })
        };
        let guard = || prop_oneof![Just(Guard::Any(NOWHERE)), expr().prop_map(Guard::Expr)];
        let invariant = (any::<bool>(), attributes(language, expr()), expr()).prop_map(
            |(free, attributes, expr)| Invariant {
                free,
                attributes,
                expr,
                span: NOWHERE,
            },
        );
        let measure =
            (attributes(language, expr()), vec(expr(), 1..3)).prop_map(|(attributes, exprs)| {
                Measure {
                    attributes,
                    exprs,
                    span: NOWHERE,
                }
            });
        prop_oneof![
            (vec((guard(), block()), 1..3), option::of(block())).prop_map(
                |(branches, otherwise)| StmtKind::If {
                    branches,
                    otherwise
                }
            ),
            (guard(), vec(invariant, 0..3), vec(measure, 0..2), block()).prop_map(
                |(guard, invariants, measures, body)| StmtKind::While {
                    guard,
                    invariants,
                    measures,
                    body,
                }
            ),
            block().prop_map(|block| StmtKind::Unsupported(Unsupported::Atomic(block))),
        ]
        .prop_map(|kind| Stmt {
            kind,
            attributes: vec![],
            span: NOWHERE,
        })
    })
    .boxed()
}

fn axiom(language: Language) -> impl Strategy<Value = AxiomDecl> {
    (attributes(language, expr(language)), expr(language)).prop_map(|(attributes, expr)| {
        AxiomDecl {
            attributes,
            expr,
            span: NOWHERE,
        }
    })
}

fn rigid_decl(language: Language) -> BoxedStrategy<Decl> {
    let attributes = move || attributes(language, expr(language));
    let name = move || name(language);
    let uses = move || prop_oneof![3 => Just(vec![]), 1 => vec(axiom(language), 1..3)];
    let item = (name(), vec(name(), 0..3), option::of(ty(language))).prop_map(
        |(name, params, synonym)| TypeDeclItem {
            name,
            params,
            synonym,
            span: NOWHERE,
        },
    );
    let constructor =
        (name(), vec(typed_names(language, None), 0..3)).prop_map(|(name, fields)| Constructor {
            name,
            fields,
            span: NOWHERE,
        });
    let parent = (any::<bool>(), name()).prop_map(|(unique, name)| ConstParent { unique, name });
    let param =
        (attributes(), option::of(name()), ty(language)).prop_map(|(attributes, name, ty)| {
            TypedIdents {
                attributes,
                names: name.into_iter().collect(),
                ty,
                where_clause: None,
                span: NOWHERE,
            }
        });
    prop_oneof![
        (attributes(), any::<bool>(), vec(item, 1..3)).prop_map(|(attributes, finite, items)| {
            Decl::Type(TypeDecl {
                attributes,
                finite,
                items,
                span: NOWHERE,
            })
        }),
        (
            attributes(),
            name(),
            vec(name(), 0..3),
            vec(constructor, 0..3)
        )
            .prop_map(
                |(attributes, name, type_params, constructors)| Decl::Datatype(DatatypeDecl {
                    attributes,
                    name,
                    type_params,
                    constructors,
                    span: NOWHERE
                })
            ),
        (
            attributes(),
            any::<bool>(),
            names(language),
            ty(language),
            option::of(vec(parent, 0..3)),
            any::<bool>(),
            uses()
        )
            .prop_map(|(attributes, unique, names, ty, parents, complete, uses)| {
                Decl::Const(ConstDecl {
                    attributes,
                    unique,
                    names,
                    ty,
                    parents,
                    complete,
                    uses,
                    span: NOWHERE,
                })
            }),
        (
            attributes(),
            name(),
            vec(name(), 0..2),
            vec(param.clone(), 0..3),
            param,
            option::of(expr(language)),
            uses()
        )
            .prop_map(
                |(attributes, name, type_params, params, result, body, uses)| Decl::Function(
                    FunctionDecl {
                        attributes,
                        name,
                        type_params,
                        params,
                        result: Box::new(result),
                        body,
                        uses,
                        span: NOWHERE
                    }
                )
            ),
        axiom(language).prop_map(Decl::Axiom),
    ]
    .boxed()
}

fn decl() -> BoxedStrategy<Decl> {
    let language = Language::Boogie;
    let attributes = move || attributes(language, expr(language));
    let groups = move |least: usize| vec(typed_names(language, Some(expr(language))), least..3);
    let var = (attributes(), groups(1)).prop_map(|(attributes, groups)| VarDecl {
        attributes,
        groups,
        span: NOWHERE,
    });
    let signature = (
        attributes(),
        name(language),
        vec(name(language), 0..2),
        groups(0),
        groups(0),
    )
        .prop_map(
            |(attributes, name, type_params, params, results)| Signature {
                attributes,
                name,
                type_params,
                params,
                results,
                span: NOWHERE,
            },
        );
    let body = (vec(var.clone(), 0..3), vec(stmt(), 0..5)).prop_map(|(locals, stmts)| Body {
        locals,
        block: Block {
            stmts,
            span: NOWHERE,
        },
        span: NOWHERE,
    });
    let spec_kind = prop_oneof![
        boogie_expr().prop_map(SpecKind::Requires),
        boogie_expr().prop_map(SpecKind::Ensures),
        vec(name(language), 0..3).prop_map(SpecKind::Modifies),
    ];
    let spec = (any::<bool>(), attributes(), spec_kind).prop_map(|(free, attributes, kind)| Spec {
        free,
        attributes,
        kind,
        span: NOWHERE,
    });
    prop_oneof![
        rigid_decl(language),
        var.prop_map(Decl::Var),
        (
            any::<bool>(),
            signature.clone(),
            vec(spec, 0..4),
            option::of(body.clone())
        )
            .prop_map(
                |(pure_, signature, specs, body)| Decl::Procedure(ProcedureDecl {
                    pure_,
                    signature,
                    specs,
                    body,
                    span: NOWHERE
                })
            ),
        (signature, body).prop_map(
            |(signature, body)| Decl::Implementation(ImplementationDecl {
                signature,
                body,
                span: NOWHERE
            })
        ),
    ]
    .boxed()
}

fn graph() -> BoxedStrategy<Graph> {
    let language = Language::Graph;
    let attributes = move || attributes(language, expr(language));
    let name = move || name(language);
    let kind = prop::sample::select(vec![
        LocationKind::Init,
        LocationKind::Plain,
        LocationKind::Error,
    ]);
    let location = (kind, attributes(), name(), option::of("[ -~]{0,8}")).prop_map(
        |(kind, attributes, name, description)| LocationDecl {
            kind,
            attributes,
            name,
            description,
            span: NOWHERE,
        },
    );
    let local = (names(language), ty(language)).prop_map(|(names, ty)| LocalGroup {
        names,
        ty,
        span: NOWHERE,
    });
    let binding = (name(), expr(language)).prop_map(|(name, value)| LetBinding {
        name,
        value,
        span: NOWHERE,
    });
    let edge = (
        attributes(),
        name(),
        name(),
        vec(local, 0..2),
        vec(name(), 0..3),
        vec(binding, 0..3),
        option::of(expr(language)),
    )
        .prop_map(
            |(attributes, from, to, locals, havocs, lets, formula)| Edge {
                attributes,
                from,
                to,
                locals,
                havocs,
                lets,
                formula,
                span: NOWHERE,
            },
        );
    (
        attributes(),
        name(),
        vec(typed_names(language, None), 0..3),
        vec(location, 0..4),
        vec(edge, 0..4),
    )
        .prop_map(|(attributes, name, vars, locations, edges)| Graph {
            attributes,
            name,
            vars,
            locations,
            edges,
            span: NOWHERE,
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boogie(decls in vec(decl(), 0..4)) {
        let program = Program { decls };
        let text = print::program(&program);
        let (again, diagnostics) = parse_boogie(&text);
        prop_assert!(diagnostics.is_empty(), "{}", support::render(&text, &diagnostics));
        prop_assert_eq!(shape(&again), shape(&program), "{}", text);
    }

    #[test]
    fn graphs(decls in vec(rigid_decl(Language::Graph), 0..3), graphs in vec(graph(), 0..3)) {
        let file = GraphFile { decls, graphs };
        let text = print::graph_file(&file);
        let (again, diagnostics) = parse_graph(&text);
        prop_assert!(diagnostics.is_empty(), "{}", support::render(&text, &diagnostics));
        prop_assert_eq!(shape(&again), shape(&file), "{}", text);
    }

    #[test]
    fn expressions(expr in expr(Language::Boogie)) {
        let text = format!("axiom {};", print::expr(&expr, Language::Boogie));
        let (program, diagnostics) = parse_boogie(&text);
        prop_assert!(diagnostics.is_empty(), "{}", support::render(&text, &diagnostics));
        let [Decl::Axiom(axiom)] = &program.decls[..] else { panic!("no axiom: {text}") };
        prop_assert_eq!(shape(&axiom.expr), shape(&expr), "{}", text);
    }

    /// Whatever the text: no panic, and every place lies within the text on character boundaries.
    #[test]
    fn any_text(text in "([a-z(){};:=\\[\\]'`\"\\\\<>!&|/*+ -]|procedure |axiom |var |if |graph |[0-9]|\\PC){0,60}") {
        for diagnostics in [parse_boogie(&text).1, parse_graph(&text).1] {
            for (span, _) in diagnostics.iter().flat_map(|d| &d.labels) {
                prop_assert!(text.get(span.range()).is_some(), "{:?} in {:?}", span, text);
            }
        }
    }
}
