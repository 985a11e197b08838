//! What names and types come out as: the readings of `/`, instances of polymorphic functions and maps, the numbering of
//! variables, rewritten assignments, deep and long formulas.

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::hir::{
    BinaryOp, BoundId, Expr, ExprKind, GlobalId, LocalId, Program, StmtKind, Type, VarRef,
};
use ult_lang::{analyze_boogie, analyze_graph};

/// The typed program of a text without diagnostics.
fn clean(text: &str) -> Program {
    let (program, diagnostics) = analyze_boogie(text);
    assert_eq!(diagnostics, [], "{text}");
    program
}

/// The typed program of a text without errors, and the ids of its warnings.
fn warned(text: &str) -> (Program, Vec<Id>) {
    let (program, diagnostics) = analyze_boogie(text);
    assert!(
        !diagnostics.iter().any(Diagnostic::is_error),
        "{diagnostics:?}"
    );
    (
        program,
        diagnostics.iter().map(|diagnostic| diagnostic.id).collect(),
    )
}

/// The value of the n-th assignment of the first implementation.
fn assigned(program: &Program, index: usize) -> &Expr {
    let values: Vec<&Expr> = program.implementations[0]
        .body
        .iter()
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign { pairs } => Some(&pairs[0].1),
            _ => None,
        })
        .collect();
    values[index]
}

/// The operators of all binary nodes, outermost first.
fn operators(expr: &Expr) -> Vec<BinaryOp> {
    let mut operators = Vec::new();
    expr.visit(&mut |expr| {
        if let ExprKind::Binary(op, ..) = &expr.kind {
            operators.push(*op);
        }
    });
    operators
}

fn main_with(declarations: &str, body: &str) -> String {
    format!("{declarations}\nprocedure main() {{ {body} }}\n")
}

#[test]
fn division_is_real_unless_an_int_is_wanted() {
    let declarations = "function real_of(r: real) returns (int);";
    let locals = "var x, y, z: int; var r: real; var b: bool;";
    let real = [
        "r := x / y;",
        "r := x / y + 1.0;",
        "r := r / x;",
        "r := -(x / y);",
        "b := x / y == r;",
        "b := x / y < y / x;",
        "b := 1.5 <= x / y;",
        "r := (if b then x / y else r);",
        "x := real_of(x / y);",
        "x := int(x / y);",
        "b := (x / y) / z == r;",
        "b := (forall i: int :: i / 2 == r);",
        "r := (var q := x / y; q);",
    ];
    for statement in real {
        let program = clean(&main_with(declarations, &format!("{locals} {statement}")));
        let ops = operators(assigned(&program, 0));
        assert!(ops.contains(&BinaryOp::RealDiv), "{statement}: {ops:?}");
        assert!(!ops.contains(&BinaryOp::IntDiv), "{statement}: {ops:?}");
    }
    let int = [
        "x := x / y;",
        "x := x / y + 1;",
        "x := -(x / y);",
        "b := x / y == z;",
        "b := z <= x / y;",
        "x := x / y / z;",
        "x := (x / y) * (y / x);",
        "x := x / y mod 2;",
        "x := (if b then x / y else 0);",
        "x := (var q := x / y; q + 1);",
        "r := real(x / y);",
        "b := (forall i: int :: i / 2 == i);",
    ];
    for statement in int {
        let (program, warnings) =
            warned(&main_with(declarations, &format!("{locals} {statement}")));
        let ops = operators(assigned(&program, 0));
        assert!(ops.contains(&BinaryOp::IntDiv), "{statement}: {ops:?}");
        assert!(!ops.contains(&BinaryOp::RealDiv), "{statement}: {ops:?}");
        assert_eq!(warnings, [Id::INTEGER_DIVISION], "{statement}");
    }
}

#[test]
fn operands_of_the_real_division_are_reals() {
    let program = clean(&main_with("", "var x: int; var r: real; r := r / x;"));
    let ExprKind::Binary(BinaryOp::RealDiv, left, right) = &assigned(&program, 0).kind else {
        panic!("no division");
    };
    assert_eq!((&left.ty, &right.ty), (&Type::Real, &Type::Real));
    assert!(matches!(left.kind, ExprKind::Var(_)));
    assert!(matches!(right.kind, ExprKind::IntToReal(_)));
}

#[test]
fn a_division_of_a_real_division_is_none_of_ints() {
    // The inner one must be real because of 1.0, so the outer one cannot be an int.
    let text = main_with(
        "",
        "var x, y, z: int; z := (var q := x / y; if q == 1.0 then q / y else 0);",
    );
    let (_, diagnostics) = analyze_boogie(&text);
    assert_eq!(
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .count(),
        1,
        "{diagnostics:?}"
    );
}

#[test]
fn polymorphic_functions_are_instantiated() {
    let program = clean(&main_with(
        "type Seq a; function empty<a>() returns (Seq a); function add<a>(s: Seq a, x: a) returns (Seq a);
         function len<a>(s: Seq a) returns (int);",
        "var n: int; var s: Seq bool; n := len(add(empty(), n)); s := empty(); s := add(s, true);",
    ));
    let instances = |index: usize| {
        let mut found = Vec::new();
        assigned(&program, index).visit(&mut |expr| {
            if let ExprKind::Call {
                function,
                type_args,
                ..
            } = &expr.kind
            {
                found.push((
                    program.background.functions[function.index()].name.clone(),
                    type_args.clone(),
                ));
            }
        });
        found
    };
    let int = vec![Type::Int];
    assert_eq!(
        instances(0),
        [
            ("len".into(), int.clone()),
            ("add".into(), int.clone()),
            ("empty".into(), int)
        ]
    );
    assert_eq!(instances(1), [("empty".into(), vec![Type::Bool])]);
    assert_eq!(instances(2), [("add".into(), vec![Type::Bool])]);
}

#[test]
fn an_undetermined_instance_is_int_with_a_warning() {
    let (program, warnings) = warned(&main_with(
        "type Seq a; function empty<a>() returns (Seq a); function len<a>(s: Seq a) returns (int);",
        "var n: int; n := len(empty());",
    ));
    assert_eq!(
        warnings,
        [Id::AMBIGUOUS_TYPE, Id::AMBIGUOUS_TYPE][..warnings.len()],
        "{warnings:?}"
    );
    let ExprKind::Call { type_args, .. } = &assigned(&program, 0).kind else {
        panic!("no call")
    };
    assert_eq!(type_args, &[Type::Int]);
}

#[test]
fn polymorphic_maps_are_instantiated_at_each_use() {
    let program = clean(&main_with(
        "type Field a; type Heap = <a>[int, Field a]a; const size: Field int; const flag: Field bool; var h: Heap;",
        "var n: int; var b: bool; n := h[0, size]; b := h[0, flag];",
    ));
    for (index, ty) in [(0, Type::Int), (1, Type::Bool)] {
        let ExprKind::Select { type_args, .. } = &assigned(&program, index).kind else {
            panic!("no selection")
        };
        assert_eq!(type_args, std::slice::from_ref(&ty));
        assert_eq!(assigned(&program, index).ty, ty);
    }
}

#[test]
fn map_types_do_not_depend_on_the_names_of_their_parameters() {
    let program = clean(
        "type Field a b;
         var f: <a, b>[Field a b]b;
         var g: <y, x>[Field x y]y;
         procedure main() modifies f; { f := g; assert f == g; }",
    );
    assert_eq!(program.globals[0].ty, program.globals[1].ty);
}

#[test]
fn a_map_type_with_another_binding_is_another_type() {
    let (_, diagnostics) = analyze_boogie(
        "type Field a;
         procedure main(f: <a>[Field a]a, g: [Field int]int, h: <a>[Field a]int) {
           assert f == g;
           assert f == h;
         }",
    );
    let ids: Vec<Id> = diagnostics.iter().map(|diagnostic| diagnostic.id).collect();
    assert_eq!(ids, [Id::OPERAND_TYPES, Id::OPERAND_TYPES]);
}

#[test]
fn equality_may_compare_what_can_be_of_one_type() {
    clean("procedure p<a>(x: a, y: int) { assert x == y; }");
    let (_, diagnostics) =
        analyze_boogie("type T a; procedure p<a>(x: T a, y: int) { assert x == y; }");
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn lambdas_are_maps() {
    let program = clean(
        "type Field a; var m: <a>[Field a]bool; function good<a>(f: Field a) returns (bool);
         procedure main() modifies m; { m := (lambda<b> f: Field b :: good(f)); }",
    );
    assert_eq!(assigned(&program, 0).ty, program.globals[0].ty);
}

#[test]
fn variables_are_numbered_ins_outs_locals() {
    let program = clean(
        "procedure p(a: int, b: bool) returns (c: int);
           requires a > 0 && b;
           ensures c > a;
         implementation p(x: int, y: bool) returns (z: int) {
           var l: int;
           l := x;
           z := l;
         }",
    );
    let procedure = &program.procedures[0];
    let implementation = &program.implementations[0];
    assert_eq!(
        procedure
            .parameter(LocalId(2))
            .map(|variable| &*variable.name),
        Some("c")
    );
    assert_eq!(
        implementation
            .variable(LocalId(0))
            .map(|variable| &*variable.name),
        Some("x")
    );
    assert_eq!(
        implementation
            .variable(LocalId(3))
            .map(|variable| &*variable.name),
        Some("l")
    );
    let written: Vec<VarRef> = implementation
        .body
        .iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Assign { pairs } => pairs[0].0,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        written,
        [VarRef::Local(LocalId(3)), VarRef::Local(LocalId(2))]
    );
    assert_eq!(procedure.implementations.len(), 1);
}

#[test]
fn bound_variables_are_unique_in_the_program() {
    let program = clean(
        "function f(x: int) returns (int) { x }
         axiom (forall x: int :: f(x) == x);
         axiom (forall x: int :: (exists y: int :: f(y) == x));
         procedure p() { assert (forall x: int :: (var y := x; y == x)); }",
    );
    let mut ids: Vec<BoundId> = program.background.functions[0]
        .params
        .iter()
        .map(|bound| bound.id)
        .collect();
    let mut collect = |expr: &Expr| {
        expr.visit(&mut |expr| match &expr.kind {
            ExprKind::Quantifier { bound, .. } | ExprKind::Let { bound, .. } => {
                ids.extend(bound.iter().map(|bound| bound.id));
            }
            _ => {}
        });
    };
    for axiom in &program.background.axioms {
        collect(&axiom.formula);
    }
    let StmtKind::Assert { condition, .. } = &program.implementations[0].body[0].kind else {
        panic!("no assertion")
    };
    collect(condition);
    assert_eq!(ids, (0..6).map(BoundId).collect::<Vec<_>>());
}

#[test]
fn element_assignments_become_whole_map_assignments() {
    let program = clean("var a: [int][int]bool; procedure main() modifies a; { a[1][2] := true; }");
    let variable = VarRef::Global(GlobalId(0));
    let ExprKind::Store { map, value, .. } = &assigned(&program, 0).kind else {
        panic!("no store")
    };
    assert_eq!(map.kind, ExprKind::Var(variable));
    let ExprKind::Store {
        map,
        indices,
        value,
        ..
    } = &value.kind
    else {
        panic!("no inner store")
    };
    assert!(
        matches!(&map.kind, ExprKind::Select { map, .. } if map.kind == ExprKind::Var(variable))
    );
    assert_eq!(indices[0].kind, ExprKind::Int(2.into()));
    assert_eq!(value.kind, ExprKind::Bool(true));
}

#[test]
fn unpacking_asserts_the_constructor() {
    let program = clean(&main_with(
        "datatype Shape { Circle(size: int), Square(size: int, name: bool) }",
        "var s: Shape; var x: int; var n: bool; Square(x, n) := s;",
    ));
    let body = &program.implementations[0].body;
    let StmtKind::Assert { condition, .. } = &body[0].kind else {
        panic!("no assertion")
    };
    assert!(matches!(
        condition.kind,
        ExprKind::Is { constructor: 1, .. }
    ));
    let StmtKind::Assign { pairs } = &body[1].kind else {
        panic!("no assignment")
    };
    assert!(matches!(pairs[0].1.kind, ExprKind::Field { field: 0, .. }));
    assert!(matches!(pairs[1].1.kind, ExprKind::Field { field: 1, .. }));
}

#[test]
fn modifies_clauses_are_completed_through_calls() {
    let (program, warnings) = warned(
        "var g, h: int;
         procedure a() { call b(); }
         procedure b() { call c(); call a(); }
         procedure c() modifies h; { g := 1; }
         procedure d();",
    );
    let modifies: Vec<Vec<u32>> = program
        .procedures
        .iter()
        .map(|procedure| procedure.modifies.iter().map(|global| global.0).collect())
        .collect();
    assert_eq!(modifies, [vec![0, 1], vec![0, 1], vec![0, 1], vec![]]);
    assert_eq!(warnings, [Id::MODIFIES_MISSING; 3]);
}

#[test]
fn breaks_and_gotos_are_resolved() {
    let program = clean(&main_with(
        "",
        "outer: while (*) { if (*) { break; } break outer; } goto outer;",
    ));
    let [label, outer, goto] = program.implementations[0].body.as_slice() else {
        panic!("three statements")
    };
    let StmtKind::Label(label) = label.kind else {
        panic!("no label")
    };
    let StmtKind::While { id, body, .. } = &outer.kind else {
        panic!("no loop")
    };
    let StmtKind::If {
        id: inner, then, ..
    } = &body[0].kind
    else {
        panic!("no if")
    };
    assert_ne!(id, inner);
    assert_eq!(then[0].kind, StmtKind::Break(*id));
    assert_eq!(body[1].kind, StmtKind::Break(*id));
    assert_eq!(goto.kind, StmtKind::Goto(vec![label]));
}

#[test]
fn extern_declarations_give_way() {
    let program = clean(
        "procedure {:extern} p(); procedure p() { }
         const {:extern} c: int; const c: bool; axiom c;
         function f(x: int) returns (int); function {:extern} f(x: int) returns (int);",
    );
    assert_eq!(program.implementations[0].procedure.0, 1);
}

#[test]
fn graphs_know_their_variables() {
    let (program, diagnostics) = analyze_graph(
        "const n: int;
         graph g {
           var x: int;
           init start;
           error bad \"x is negative\";
           start -> loop: x' == 0;
           loop -> loop { local t: int; let d := x + t; x' == d && t > n }
           loop -> bad: x < 0;
         }",
    );
    assert_eq!(diagnostics, []);
    let graph = &program.graphs[0];
    let names: Vec<&str> = graph
        .locations
        .iter()
        .map(|location| &*location.name)
        .collect();
    assert_eq!(names, ["start", "bad", "loop"]);
    assert_eq!((graph.initial.len(), graph.errors.len()), (1, 1));
    assert_eq!(
        graph.locations[1].description.as_deref(),
        Some("x is negative")
    );
    let mut seen = Vec::new();
    graph.edges[1].formula.visit(&mut |expr| {
        if let ExprKind::Var(var) = expr.kind {
            seen.push(var);
        }
    });
    let [
        VarRef::Primed(x),
        VarRef::EdgeLet(_),
        VarRef::EdgeLocal(_),
        VarRef::Constant(_),
    ] = seen[..]
    else {
        panic!("{seen:?}");
    };
    assert_eq!(graph.variable(x).map(|variable| &*variable.name), Some("x"));
}

#[test]
fn long_chains_need_no_deep_stack() {
    let chains = [
        (" + ", "int", 100_000),
        (" - ", "int", 10_000),
        (" && ", "bool", 10_000),
        (" ==> ", "bool", 100_000),
        (" * ", "int", 10_000),
        (" div ", "int", 10_000),
        (" / ", "real", 10_000),
        (" <== ", "bool", 10_000),
        (" <==> ", "bool", 10_000),
        (" ** ", "real", 10_000),
    ];
    for (operator, ty, length) in chains {
        let chain = vec!["x"; length].join(operator);
        let program = clean(&format!(
            "procedure main(x: {ty}) {{ var y: {ty}; y := {chain}; }}"
        ));
        let copy = assigned(&program, 0).clone();
        assert_eq!(&copy, assigned(&program, 0));
        let mut variables = 0;
        copy.visit(&mut |expr| variables += usize::from(matches!(expr.kind, ExprKind::Var(_))));
        assert_eq!(variables, length, "{operator}");
    }
}

#[test]
fn a_long_else_if_chain_needs_no_deep_stack() {
    let chain = vec!["if (x == 1) { x := 2; }"; 20_000].join(" else ");
    let program = clean(&format!("procedure main() {{ var x: int; {chain} }}"));
    assert_eq!(program.clone(), program);
}

#[test]
fn deep_nesting_needs_no_deep_stack() {
    const DEPTH: usize = 4_000;
    for (open, close) in [
        ("!(", ")"),
        ("f(", ")"),
        ("m[", "]"),
        ("old(", ")"),
        ("(var b := ", "; b)"),
    ] {
        let text = format!(
            "function f(b: bool) returns (bool); procedure main(m: [bool]bool) {{ var y: bool; y := {}true{}; }}",
            open.repeat(DEPTH),
            close.repeat(DEPTH)
        );
        let program = clean(&text);
        assert_eq!(assigned(&program, 0).ty, Type::Bool, "{open}");
    }
    let nested = format!("{}{}", "if (*) { ".repeat(DEPTH), "}".repeat(DEPTH));
    clean(&format!("procedure main() {{ {nested} }}"));
}

#[test]
fn inferred_types_are_limited() {
    let nested = format!("{}1{}", "wrap(".repeat(1_000), ")".repeat(1_000));
    let (_, diagnostics) = analyze_boogie(&format!(
        "type Box a; function wrap<a>(x: a) returns (Box a); function any<a>(x: a) returns (bool);
         axiom any({nested});"
    ));
    let errors: Vec<Id> = diagnostics.iter().map(|diagnostic| diagnostic.id).collect();
    assert_eq!(errors, [Id::TYPE_TOO_LARGE]);
}
