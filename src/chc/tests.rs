//! Clauses become graphs that mean the same.

use super::lower;
use ult_core::formula::Terms;
use ult_core::graph::text;
use ult_lang::diagnostic::Id;

/// The graph of a text without errors, as text.
fn graph(source: &str) -> String {
    let terms = Terms::new();
    let (unit, diagnostics) = lower(&terms, source);
    assert_eq!(diagnostics, [], "{source}");
    assert_eq!(unit.graph.check(&terms), Ok(()));
    text::print(&terms, &[&unit.graph], text::Options::default())
}

#[test]
fn a_loop_becomes_a_loop() {
    let text = graph(
        "(set-logic HORN)
         (declare-fun inv (Int Int) Bool)
         (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
         (assert (forall ((x Int) (y Int) (x1 Int))
           (=> (and (inv x y) (= x1 (+ x 1)) (< x 10)) (inv x1 (+ y 2)))))
         (assert (forall ((x Int) (y Int)) (=> (and (inv x y) (not (= y (* 2 x)))) false)))
         (check-sat)",
    );
    let edges: Vec<&str> = text.lines().filter(|line| line.contains("->")).collect();
    assert_eq!(
        edges,
        [
            "  start -> inv: x' == 0 && y' == 0;",
            "  inv -> inv: x' == x + 1 && y' == y + 2 && x < 10;",
            "  inv -> query1: y != 2 * x;",
        ]
    );
}

/// The edges of a graph.
fn edges(source: &str) -> Vec<String> {
    graph(source)
        .lines()
        .filter(|line| line.contains("->"))
        .map(|line| line.trim().to_owned())
        .collect()
}

#[test]
fn definitions_by_equations_go() {
    // One after the other, in either order, with factors, and truth values.
    let found = edges(
        "(declare-fun p (Int Int Bool) Bool)
         (assert (forall ((a Int) (b Int) (c Int) (d Int) (e Bool) (f Bool) (g Bool))
           (=> (and (p a b e)
                    (= d (+ c 1)) (= (+ a 3) (+ c (* 2 b)))
                    (= f (not g)) (= g (< a b)) e)
               (p d b f))))
         (assert (forall ((a Int) (b Int)) (=> (and (p a b true) (= (* 2 a) b)) false)))",
    );
    assert_eq!(
        found,
        [
            "p -> p: a' == a - 2 * b + 4 && (e' <==> b <= a) && e;",
            "p -> query1: b == 2 * a && e;",
        ]
    );
}

#[test]
fn what_is_handed_on_stays_where_it_is() {
    let found = edges(
        "(declare-fun wide (Int Int Int) Bool)
         (declare-fun narrow (Int Int) Bool)
         (assert (forall ((a Int) (b Int) (c Int)) (=> (wide a b c) (narrow c b))))
         (assert (forall ((b Int) (c Int)) (=> (narrow c b) (wide 0 b (+ c 1)))))
         (assert (forall ((b Int) (c Int)) (=> (narrow c b) (wide b 0 c))))",
    );
    assert_eq!(
        found,
        [
            "wide -> narrow: true;",
            "narrow -> wide: a' == 0 && c' == c + 1;",
            "narrow -> wide: a' == b && b' == 0;",
        ]
    );
}

#[test]
fn names_hold_only_where_the_text_agrees_on_them() {
    let text = graph(
        "(declare-fun p (Int Int) Bool)
         (assert (forall ((n Int) (A Int)) (=> (p n A) (p (+ n 1) A))))
         (assert (forall ((n Int) (B Int)) (=> (p n B) (p n (+ B 1)))))",
    );
    assert!(text.contains("var n, x1: int;"), "{text}");
}

#[test]
fn deep_terms_are_no_problem() {
    let depth = 9_000;
    let sum = "(+ 1 ".repeat(depth) + "x" + &")".repeat(depth);
    let premise = "(and true ".repeat(depth) + "(p x)" + &")".repeat(depth);
    let let_ = "(let ((x (+ x 1))) ".repeat(depth) + "(= x 0)" + &")".repeat(depth);
    let found = edges(&format!(
        "(declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (=> {premise} (p {sum}))))
         (assert (forall ((x Int)) (=> (and (p x) {let_}) false)))"
    ));
    assert_eq!(found[0], format!("p -> p: x' == x + {depth};"));
    assert_eq!(found[1], format!("p -> query1: x + {depth} == 0;"));
}

#[test]
fn too_deep_terms_get_a_message() {
    for depth in [10_050, 200_000] {
        let sum = "(+ 1 ".repeat(depth) + "1" + &")".repeat(depth);
        let text = format!("(declare-fun p (Int) Bool)\n(assert (p {sum}))");
        let (_, diagnostics) = lower(&Terms::new(), &text);
        let ids: Vec<&str> = diagnostics.iter().map(|found| found.id.as_str()).collect();
        assert_eq!(ids, ["E0507"], "{depth}");
    }
}

#[test]
fn a_large_file_takes_no_more_than_its_share() {
    use std::fmt::Write as _;
    let text = |count: usize| {
        let mut text = String::new();
        for i in 0..=count {
            let _ = writeln!(text, "(declare-fun p{i} (Int Int) Bool)");
        }
        for i in 0..count {
            let _ = writeln!(
                text,
                "(assert (forall ((x Int) (y Int)) (=> (and (p{i} x y) (< x {i})) (p{} (+ x 1) y))))",
                i + 1
            );
        }
        text
    };
    let seconds = |count: usize| {
        let text = text(count);
        let start = std::time::Instant::now();
        let (unit, diagnostics) = lower(&Terms::new(), &text);
        assert_eq!(diagnostics, []);
        assert_eq!(unit.graph.graph.edge_count(), count);
        assert_eq!(unit.graph.variables.len(), 2);
        start.elapsed().as_secs_f64()
    };
    // Quadratic time would be 256 times as much.
    let (small, large) = (seconds(200), seconds(3_200));
    assert!(large < 80.0 * small + 1.0, "{small} s, {large} s");
}

#[test]
fn a_formula_may_not_stand_for_too_many_clauses() {
    let cases = "(and (p 1) (p 2)) ".repeat(20);
    let text = format!("(declare-fun p (Int) Bool)\n(assert (not (and {})))", {
        cases.replace("(and (p 1) (p 2))", "(or (p 1) (p 2))")
    });
    let (_, diagnostics) = lower(&Terms::new(), &text);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].id, Id::HORN_LIMIT);
}

#[test]
fn the_pages_show_what_they_are_about() {
    for id in ["E0501", "E0502", "E0503", "E0504", "E0505", "E0506"] {
        let page = Id::lookup(id).and_then(Id::info).unwrap().page;
        let examples: Vec<&str> = page
            .split("```smt2\n")
            .skip(1)
            .filter_map(|rest| Some(rest.split_once("```")?.0))
            .collect();
        assert_eq!(examples.len(), 2, "{id}");
        let (_, diagnostics) = lower(&Terms::new(), examples[0]);
        assert!(!diagnostics.is_empty(), "{id}");
        for notice in diagnostics {
            assert_eq!(notice.id.as_str(), id);
        }
        assert_eq!(lower(&Terms::new(), examples[1]).1, [], "{id}");
    }
}

#[test]
fn no_text_makes_it_panic() {
    let text = "(set-logic HORN)(declare-fun p (Int (Array Int Bool)) Bool)\
                (define-fun f ((x Int)) Bool (> x (mod x 3)))\
                (assert (forall ((x Int) (a (Array Int Bool))) (=> (and (f x) (! (p x a) :named n)\
                (let ((y ((_ extract 3 1) #x0f))) (= y #b111))) (p (+ x 1) (store a x true)))))\
                (assert (forall ((x Int)) (exists ((y Real)) (=> (p x ((as const (Array Int Bool)) false))\
                (= y 1.5)))))(rule (p 1 \"a\"))(check-sat)(exit) ; |\n";
    for cut in 0..text.len() {
        let _ = lower(&Terms::new(), &text[..cut]);
        let _ = lower(&Terms::new(), &text[cut..]);
        for (i, piece) in ["(", ")", "|", "\"", "#b", " 1 ", " _ ", " let ", "(as "]
            .iter()
            .enumerate()
        {
            if (cut + i) % 5 == 0 {
                let mangled = format!("{}{piece}{}", &text[..cut], &text[cut..]);
                let _ = lower(&Terms::new(), &mangled);
            }
        }
    }
}

#[test]
fn interpretations_satisfy_the_clauses() {
    use ult_check::Verdict;
    use ult_core::control::Control;
    use ult_core::graph::Transition;
    use ult_core::stats::Statistics;
    use ult_engine::verify::{Settings, verify_unit};
    use ult_smt::{Answer, Session};

    let terms = Terms::new();
    let (unit, diagnostics) = lower(
        &terms,
        "(declare-fun start (Int Int) Bool)
         (declare-fun loop (Int Int) Bool)
         (declare-fun body (Int Int Int) Bool)
         (declare-fun behind (Int) Bool)
         (declare-fun unreachable (Int) Bool)
         (assert (forall ((x Int) (y Int)) (=> (and (= y 0) (> x 0)) (start x y))))
         (assert (forall ((x Int) (y Int)) (=> (start x y) (loop x y))))
         (assert (forall ((x Int) (y Int) (n Int)) (=> (and (loop x y) (< y x) (< 0 n 3)) (body x y n))))
         (assert (forall ((x Int) (y Int) (n Int)) (=> (body x y n) (loop (+ x n) (+ y n)))))
         (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= y x)) (behind y))))
         (assert (forall ((x Int)) (=> (unreachable x) (behind (- x)))))
         (assert (forall ((x Int)) (=> (behind x) false)))",
    );
    assert_eq!(diagnostics, []);
    let verdicts = verify_unit(
        &terms,
        &unit.graph,
        &Settings::default(),
        &Control::unlimited(),
        &mut Statistics::default(),
    );
    let Some(Verdict::Safe(proof)) = verdicts.values().next() else {
        panic!("{verdicts:?}");
    };
    let arguments = super::predicates(&unit);
    let found = super::interpretations(&terms, &unit.graph, &arguments, proof.invariants());
    for (location, formula) in &found {
        let names = terms.names_of(&[*formula], ult_core::formula::Version::Current);
        assert!(names.keys().all(|name| arguments[location].contains(name)));
    }
    assert_eq!(found.len(), 5);
    let session = Session::new(&terms, &[], &Control::unlimited());
    let graph = &unit.graph;
    let at = |location: ult_core::graph::LocationId| {
        if graph.graph[location].error.is_some() {
            return terms.ff();
        }
        found.get(&location).copied().unwrap_or(terms.tt())
    };
    for edge in graph.graph.edge_indices() {
        let (source, target) = graph.graph.edge_endpoints(edge).unwrap();
        let transition: &Transition = &graph.graph[edge].transition;
        let after = transition.after(&terms, at(target));
        let counterexample = terms.and([at(source), transition.formula, terms.not(after)]);
        let mut solver = session.solver();
        solver.assert(counterexample).unwrap();
        assert_eq!(
            solver.check(&[], None),
            Answer::Unsat,
            "{}",
            terms.display(after)
        );
    }
}

#[test]
fn what_does_not_depend_on_open_values_is_exact() {
    // What has no field may have any: only the second edge of each pair is an abstraction.
    let text = graph(
        "(declare-datatype opt ((none) (some (val Int))))
         (declare-fun p (opt) Bool)
         (assert (forall ((x opt)) (=> (and (p x) (=> ((_ is some) x) (< (val x) 3))) false)))
         (assert (forall ((x opt)) (=> (and (p x) (or (= (val x) 3) (is-none x))) false)))
         (assert (forall ((x opt) (y Int)) (=> (and (p x) (= (div y 0) 3) (> y 0)) false)))",
    );
    let field = "(if (x is some) then x->val else `wrong field`)";
    let expected = [
        format!("(x is some) ==> (x is some) && {field} < 3"),
        format!("((x is some) && {field} == 3) || (x is none)"),
    ];
    for formula in expected {
        assert!(text.contains(&formula), "{text}");
    }
    // What divides by zero depends on it, and has no exact edge.
    assert_eq!(text.matches("-> query1").count(), 2, "{text}");
    assert_eq!(text.matches("-> query3").count(), 1, "{text}");
}
