//! Execution on small graphs. Every run that is found must be accepted by the checker.

use std::collections::BTreeMap;

use super::{DeterministicEnd, Execution, run_deterministic};
use crate::facts::Facts;
use crate::samples::Build;
use crate::task::{Engine as _, Task};
use ult_check::{Checker, Claims, Options, confirm_run};
use ult_core::control::Control;
use ult_core::formula::{BinderKind, BvOp, ConstructorSort, Function, Sort, Term, Terms, Version};
use ult_core::graph::evidence::Run;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::stats::Statistics;

/// The runs found, each confirmed, and the reason why others are open.
fn executed(terms: &Terms, graph: &ProgramGraph) -> (BTreeMap<LocationId, Run>, String) {
    let control = Control::unlimited();
    let facts = Facts::default();
    let task = Task::of_graph(terms, graph, &control, &facts);
    let mut stats = Statistics::default();
    let outcome = Execution.run(&task, &mut stats);
    assert!(outcome.invariants.is_none() && outcome.runs.is_empty());
    let original = outcome.original;
    for (error, run) in &original.runs {
        let options = Options::default();
        let confirmed = confirm_run(terms, graph, run, &control, &options, &mut stats);
        assert_eq!(confirmed.unwrap().location(), *error);
    }
    let covered = original.runs.len() + original.undecided.len();
    assert_eq!(covered, graph.errors().count());
    let reasons: Vec<String> = original.undecided.values().map(|r| r.to_string()).collect();
    (original.runs, reasons.join("; "))
}

/// The only error has a confirmed run, which is returned.
fn violated(terms: &Terms, graph: &ProgramGraph) -> Run {
    let (runs, reasons) = executed(terms, graph);
    assert_eq!(runs.len(), 1, "{reasons}");
    runs.into_values().next().unwrap()
}

/// Nothing is found, for a reason that mentions `why`.
fn nothing(terms: &Terms, graph: &ProgramGraph, why: &str) {
    let (runs, reasons) = executed(terms, graph);
    assert!(runs.is_empty());
    assert!(reasons.contains(why), "{reasons}");
}

/// `x := 0; i := 0; while (i < rounds) { x := (5 * x + 3) mod 17; i := i + 1; } assert x != value`
fn rounds(terms: &Terms, rounds: i64, value: i64) -> ProgramGraph {
    let mut b = Build::new(terms, &["x", "i"]);
    let t = terms;
    let start = b.graph.initial;
    let [zero, head, body, step, exit] =
        ["zero", "head", "body", "step", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.assign(start, zero, "x", t.int(0));
    b.assign(zero, head, "i", t.int(0));
    b.edge(head, body, t.lt(b.x("i"), t.int(rounds)));
    let next = t.add(&[t.mul(&[t.int(5), b.x("x")]), t.int(3)]);
    b.assign(body, step, "x", t.modulo(next, t.int(17)));
    b.assign(step, head, "i", t.add(&[b.x("i"), t.int(1)]));
    b.edge(head, exit, t.le(t.int(rounds), b.x("i")));
    b.edge(exit, error, t.eq(b.x("x"), t.int(value)));
    b.done()
}

/// A counter of so many bits, from zero until its highest bit is set, and the claim that it is another value then. One location
/// per bit: where a bit is set it is cleared, and the next one is looked at.
fn counter(terms: &Terms, bits: usize, wrong: bool) -> ProgramGraph {
    let names: Vec<String> = (0..bits).map(|bit| format!("x{bit}")).collect();
    let mut b = Build::new(terms, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let t = terms;
    let mut at = b.graph.initial;
    for (bit, name) in names.iter().enumerate() {
        let next = b.location(&format!("zero{bit}"));
        b.assign(at, next, name, t.int(0));
        at = next;
    }
    let head = b.location("head");
    let error = b.error("error");
    b.edge(at, head, t.tt());
    let highest = b.x(&names[bits - 1]);
    let mut place = b.location("bit0");
    b.edge(head, place, t.eq(highest, t.int(0)));
    for (bit, name) in names.iter().enumerate() {
        let [set, clear, behind] = ["set", "clear", "bit"]
            .map(|kind| b.location(&format!("{kind}{}", bit + usize::from(kind == "bit"))));
        b.edge(place, set, t.eq(b.x(name), t.int(0)));
        b.assign(set, head, name, t.int(1));
        b.edge(place, clear, t.neq(b.x(name), t.int(0)));
        b.assign(clear, behind, name, t.int(0));
        place = behind;
    }
    b.edge(place, head, t.tt());
    let exit = b.location("exit");
    b.edge(head, exit, t.neq(highest, t.int(0)));
    let others = names[..bits - 1]
        .iter()
        .map(|name| t.eq(b.x(name), t.int(0)));
    let is_there = t.and(others.chain([t.eq(highest, t.int(1))]));
    b.edge(exit, error, if wrong { is_there } else { t.not(is_there) });
    b.done()
}

#[test]
fn a_counter_of_many_bits_is_gone_through_in_few_steps() {
    let terms = Terms::new();
    for bits in [20, 40, 62] {
        let run = violated(&terms, &counter(&terms, bits, true));
        assert!(!run.is_plain());
        let length: u64 = run
            .steps
            .iter()
            .filter_map(|step| Some(step.accelerated()?.length()))
            .sum();
        // More than three edges per round; all but some at the ends are in the accelerated path.
        assert!(length > 3 << (bits - 1) && run.steps.len() < 250_000);
    }
    // Short ones are written step by step.
    assert!(violated(&terms, &counter(&terms, 10, true)).is_plain());
    // What holds is not violated.
    nothing(&terms, &counter(&terms, 24, false), "");
}

/// `x := 0; y := first; while (x < most) { x := x + 1; y := if x == hole then y else y + 2 } if (y == last) error`
fn growing(t: &Terms, most: i64, hole: i64, first: i64, last: i64) -> ProgramGraph {
    let mut b = Build::new(t, &["x", "y"]);
    let start = b.graph.initial;
    let [zero, head, body, next, exit] =
        ["zero", "head", "body", "next", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.assign(start, zero, "x", t.int(0));
    b.assign(zero, head, "y", t.int(first));
    b.edge(head, body, t.lt(b.x("x"), t.int(most)));
    b.assign(body, next, "x", t.add(&[b.x("x"), t.int(1)]));
    let grown = t.add(&[b.x("y"), t.int(2)]);
    let is_hole = t.eq(b.x("x"), t.int(hole));
    b.assign(next, head, "y", t.ite(is_hole, b.x("y"), grown));
    b.edge(head, exit, t.le(t.int(most), b.x("x")));
    b.edge(exit, error, t.eq(b.x("y"), t.int(last)));
    b.done()
}

#[test]
fn a_billion_rounds_that_count_are_taken_at_once() {
    let t = &Terms::new();
    let billion = 1_000_000_000;
    let run = violated(t, &growing(t, billion, -1, 7, 7 + 2 * billion));
    assert!(!run.is_plain() && run.steps.len() < 110_000);
    // What does not hold of one value far away is found by asking.
    for hole in [500_000, 987_654_321, billion - 1, billion] {
        let run = violated(t, &growing(t, billion, hole, 0, 2 * billion - 2));
        assert!(!run.is_plain() && run.steps.len() < 110_000);
    }
    nothing(t, &growing(t, billion, 777_777_777, 0, 2 * billion), "");
}

/// One loop in another one, both with many rounds.
#[test]
fn loops_that_count_in_loops_are_taken_at_once_one_by_one() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["x", "y", "z"]);
    let start = b.graph.initial;
    let [zero, outer, set, inner, body, count, exit] =
        ["zero", "outer", "set", "inner", "body", "count", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    let plus = |x, k: i64| t.add(&[x, t.int(k)]);
    b.assign(start, zero, "x", t.int(0));
    b.assign(zero, outer, "z", t.int(0));
    b.edge(outer, set, t.lt(b.x("x"), t.int(30)));
    b.assign(set, inner, "y", t.int(0));
    b.edge(inner, body, t.lt(b.x("y"), t.int(1_000_000)));
    b.assign(body, count, "z", plus(b.x("z"), 3));
    b.assign(count, inner, "y", plus(b.x("y"), 1));
    let over = b.location("over");
    b.edge(inner, over, t.le(t.int(1_000_000), b.x("y")));
    b.assign(over, outer, "x", plus(b.x("x"), 1));
    b.edge(outer, exit, t.le(t.int(30), b.x("x")));
    b.edge(exit, error, t.eq(b.x("z"), t.int(90_000_000)));
    let run = violated(t, &b.done());
    let accelerated = run.steps.iter().filter(|step| step.accelerated().is_some());
    assert_eq!(accelerated.count(), 30);
}

/// One number counts, and another one is a remainder that does not grow by the same.
#[test]
fn rounds_that_do_not_repeat_themselves_are_executed() {
    let terms = Terms::new();
    let run = violated(
        &terms,
        &rounds(&terms, 400_000, {
            (0..400_000).fold(0, |x, _| (5 * x + 3) % 17)
        }),
    );
    assert!(run.is_plain());
    assert_eq!(run.steps.len(), 1_200_004);
}

#[test]
fn a_hundred_thousand_rounds_are_one_run() {
    let terms = Terms::new();
    let mut x = 0;
    for _ in 0..100_000 {
        x = (5 * x + 3) % 17;
    }
    let run = violated(&terms, &rounds(&terms, 100_000, x));
    assert_eq!(run.steps.len(), 300_004);
}

#[test]
fn inputs_come_from_conditions_and_constants() {
    let t = &Terms::new();
    // havoc x; assume x > 1000 && x < 1003; havoc y; assume y == x + 7; if (z == 123456) error
    let mut b = Build::new(t, &["x", "y", "z"]);
    let start = b.graph.initial;
    let [a, c, d, e, f] = ["a", "c", "d", "e", "f"].map(|name| b.location(name));
    let error = b.error("error");
    let limits = t.and2(t.lt(t.int(1000), b.x("x")), t.lt(b.x("x"), t.int(1003)));
    b.havoc(start, a, "x");
    b.edge(a, c, limits);
    b.havoc(c, d, "y");
    b.edge(d, e, t.eq(b.x("y"), t.add(&[b.x("x"), t.int(7)])));
    b.havoc(e, f, "z");
    b.edge(f, error, t.eq(b.x("z"), t.int(123_456)));
    b.edge(f, start, t.neq(b.x("z"), t.int(123_456)));
    violated(t, &b.done());
}

#[test]
fn equations_in_any_order_and_chained() {
    let t = &Terms::new();
    // z' == y' + 1 && y' == x' && x' == x + k && k > 5, and then z == x + 1 && x > 5
    let mut b = Build::new(t, &["x", "y", "z"]);
    let start = b.graph.initial;
    let [zero, a] = ["zero", "a"].map(|name| b.location(name));
    let error = b.error("error");
    let k = t.var("k", Version::Aux(t.fresh_number()), Sort::Int);
    b.assign(start, zero, "x", t.int(0));
    let parts = [
        t.eq(b.next("z"), t.add(&[b.next("y"), t.int(1)])),
        t.eq(b.next("y"), b.next("x")),
        t.eq(b.next("x"), t.add(&[b.x("x"), k])),
        t.lt(t.int(5), k),
    ];
    b.edge(zero, a, t.and(parts));
    let sum = t.eq(b.x("z"), t.add(&[b.x("x"), t.int(1)]));
    b.edge(a, error, t.and2(sum, t.lt(t.int(5), b.x("x"))));
    violated(t, &b.done());
}

#[test]
fn integers_grow_beyond_the_machines() {
    let t = &Terms::new();
    // x := 3; 70 times x := x * x mod 10^40 and back down to what is below 2^64
    let mut b = Build::new(t, &["x", "i"]);
    let start = b.graph.initial;
    let [one, head, body] = ["one", "head", "body"].map(|name| b.location(name));
    let [exit, error] = [b.location("exit"), b.error("error")];
    b.assign(start, one, "x", t.int(3));
    b.assign(one, head, "i", t.int(0));
    b.edge(head, body, t.lt(b.x("i"), t.int(100)));
    let both = [
        t.eq(b.next("x"), t.mul(&[b.x("x"), t.int(-7)])),
        t.eq(b.next("i"), t.add(&[b.x("i"), t.int(1)])),
    ];
    b.edge(body, head, t.and(both));
    b.edge(head, exit, t.le(t.int(100), b.x("i")));
    let huge = num_bigint::BigInt::from(7).pow(100) * 3;
    let small = t.modulo(b.x("x"), t.int(1_000_003));
    let expected = t.int(&huge % num_bigint::BigInt::from(1_000_003));
    b.edge(
        exit,
        error,
        t.and2(t.eq(b.x("x"), t.int(huge)), t.eq(small, expected)),
    );
    violated(t, &b.done());
}

/// Squares of squares: after forty rounds, a number would have more digits than there is memory.
#[test]
fn a_run_ends_where_numbers_get_too_long() {
    for sort in [Sort::Int, Sort::Real] {
        let t = &Terms::new();
        let mut b = Build::new(t, &[]);
        b.graph.variables.insert("x".into(), sort.clone());
        let (start, head) = (b.graph.initial, b.location("head"));
        let error = b.error("error");
        let (x, next) = (t.current("x", sort.clone()), t.next("x", sort.clone()));
        let number = |value: i64| match sort {
            Sort::Real => t.real(num_rational::BigRational::from_integer(value.into())),
            _ => t.int(value),
        };
        b.edge(start, head, t.eq(next, number(3)));
        b.edge(head, head, t.eq(next, t.mul(&[x, x])));
        b.edge(head, error, t.lt(x, number(0)));
        nothing(t, &b.done(), "no violation in 100 runs");
    }
}

#[test]
fn a_loop_that_changes_nothing_is_left() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["x"]);
    let start = b.graph.initial;
    let [head, exit] = ["head", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.havoc(start, head, "x");
    let square = t.mul(&[b.x("x"), b.x("x")]);
    b.edge(head, head, t.le(t.int(0), square));
    b.edge(head, exit, t.lt(square, t.int(0)));
    b.edge(exit, error, t.tt());
    nothing(t, &b.done(), "no violation in");
}

#[test]
fn deadlocks_and_impossible_edges_end_runs() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["x"]);
    let start = b.graph.initial;
    let [dead, other] = ["dead", "other"].map(|name| b.location(name));
    let error = b.error("error");
    b.edge(start, other, t.ff());
    b.havoc(start, dead, "x");
    b.edge(
        dead,
        other,
        t.and2(t.lt(b.x("x"), t.int(0)), t.lt(t.int(0), b.x("x"))),
    );
    b.edge(other, error, t.tt());
    nothing(t, &b.done(), "no violation");
    // No edge at all, and an error at once.
    let mut b = Build::new(t, &["x"]);
    b.error("error");
    assert_eq!(claimed(t, &b.done()), Some(vec![true]));
    let mut graph = ProgramGraph::new("at once");
    let initial = graph.initial;
    graph.graph[initial].error = Some("at once".into());
    assert!(violated(t, &graph).steps.is_empty());
}

#[test]
fn division_by_zero_is_what_a_symbol_says() {
    let t = &Terms::new();
    // y := if x == 0 then f(7) else 7 div x
    let f = std::sync::Arc::new(Function {
        name: "div0".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let mut b = Build::new(t, &["x", "y"]);
    b.graph.functions.push(f.clone());
    let start = b.graph.initial;
    let [a, c, d] = ["a", "c", "d"].map(|name| b.location(name));
    let error = b.error("error");
    let at_zero = t.apply(&f, &[t.int(7)]);
    let quotient = t.ite(t.eq(b.x("x"), t.int(0)), at_zero, t.div(t.int(7), b.x("x")));
    b.assign(start, a, "x", t.int(0));
    b.assign(a, c, "y", quotient);
    b.edge(c, d, t.eq(b.x("y"), at_zero));
    // A quotient that arithmetic leaves open is never relied on.
    b.edge(c, error, t.eq(t.div(t.int(7), b.x("x")), t.int(3)));
    b.edge(d, error, t.tt());
    let run = violated(t, &b.done());
    assert_eq!(run.steps.len(), 4);
}

#[test]
fn symbols_mean_what_the_axioms_say() {
    let t = &Terms::new();
    let n = std::sync::Arc::new(Function {
        name: "n".into(),
        params: vec![],
        result: Sort::Int,
    });
    let mut b = Build::new(t, &["x"]);
    b.graph.functions.push(n.clone());
    let n = t.apply(&n, &[]);
    b.graph.axioms.push(t.lt(t.int(41), n));
    b.graph.axioms.push(t.lt(n, t.int(43)));
    let start = b.graph.initial;
    let a = b.location("a");
    let error = b.error("error");
    b.assign(start, a, "x", n);
    b.edge(a, error, t.eq(b.x("x"), t.int(42)));
    let mut graph = b.done();
    violated(t, &graph);
    graph.axioms.push(t.lt(n, t.int(0)));
    nothing(t, &graph, "contradict each other");
}

/// A graph with one variable of the sort, which is made arbitrary, or not; then the error needs the
/// formula.
fn reaches(
    t: &Terms,
    sort: &Sort,
    formula: impl Fn(ult_core::formula::Term) -> Vec<ult_core::formula::Term>,
) {
    let mut b = Build::new(t, &[]);
    b.graph.variables.insert("v".into(), sort.clone());
    let mut at = b.graph.initial;
    let error = b.error("error");
    let v = t.current("v", sort.clone());
    for (i, step) in formula(v).into_iter().enumerate() {
        let next = b.location(&format!("l{i}"));
        match *t.sort(step) == *sort && *sort != Sort::Bool {
            true => b.edge(at, next, t.eq(t.next("v", sort.clone()), step)),
            false => b.edge(at, next, step),
        }
        at = next;
    }
    b.edge(at, error, t.tt());
    violated(t, &b.done());
}

#[test]
fn maps_of_maps_are_changed_in_place() {
    let t = &Terms::new();
    let row = Sort::map(vec![Sort::Int], Sort::Int);
    let sort = Sort::map(vec![Sort::Int], row.clone());
    let int = |i: i64| t.int(i);
    let put = |m, i: i64, j: i64, value: i64| {
        let changed = t.store(t.select(m, &[int(i)]), &[int(j)], int(value));
        t.store(m, &[int(i)], changed)
    };
    let at = |m, i: i64, j: i64| t.select(t.select(m, &[int(i)]), &[int(j)]);
    reaches(t, &sort, |m| {
        let same = t.eq(at(m, 1, 2), int(5));
        let other = t.eq(at(m, 3, 2), at(m, 3, 2));
        vec![
            put(m, 1, 2, 5),
            put(m, 3, 3, 6),
            same,
            other,
            t.eq(at(m, 3, 3), int(6)),
        ]
    });
    // Two indices, and elements that nobody has set.
    let sort = Sort::map(vec![Sort::Int, Sort::Bool], Sort::Int);
    reaches(t, &sort, |m| {
        let at = |i: i64, b: bool| t.select(m, &[int(i), t.bool(b)]);
        let stored = t.store(m, &[int(1), t.tt()], int(7));
        vec![
            stored,
            t.eq(at(1, true), int(7)),
            t.le(at(1, false), at(1, false)),
            t.lt(at(2, true), int(5)),
        ]
    });
}

#[test]
fn a_long_array_is_filled_in_linear_time() {
    let t = &Terms::new();
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let mut b = Build::new(t, &["i"]);
    b.graph.variables.insert("a".into(), sort.clone());
    let a = t.current("a", sort.clone());
    let start = b.graph.initial;
    let [head, body, exit] = ["head", "body", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.assign(start, head, "i", t.int(0));
    b.edge(head, body, t.lt(b.x("i"), t.int(30_000)));
    let both = [
        t.eq(t.next("a", sort), t.store(a, &[b.x("i")], b.x("i"))),
        t.eq(b.next("i"), t.add(&[b.x("i"), t.int(1)])),
    ];
    b.edge(body, head, t.and(both));
    b.edge(head, exit, t.le(t.int(30_000), b.x("i")));
    b.edge(
        exit,
        error,
        t.eq(t.select(a, &[t.int(29_999)]), t.int(29_999)),
    );
    let run = violated(t, &b.done());
    assert_eq!(run.steps.len(), 60_003);
}

#[test]
fn values_of_all_sorts() {
    let t = &Terms::new();
    reaches(t, &Sort::Real, |v| {
        let half = t.real(num_rational::BigRational::new(1.into(), 2.into()));
        vec![
            half,
            t.lt(v, t.to_real(t.int(1))),
            t.eq(t.add(&[v, v]), t.to_real(t.int(1))),
        ]
    });
    for width in [8, 64, 100] {
        reaches(t, &Sort::BitVec(width), |v| {
            let bits = |n: u32| t.bitvec(num_bigint::BigUint::from(n), width);
            let shifted = t.bv(BvOp::Shl, &[bits(255), bits(3)]);
            let back = t.bv(BvOp::Lshr, &[v, bits(3)]);
            let negative = t.bv(BvOp::Slt, &[t.bv(BvOp::Neg, &[bits(1)]), bits(0)]);
            vec![
                shifted,
                back,
                t.bv(BvOp::Ult, &[v, t.bv(BvOp::Not, &[v])]),
                negative,
            ]
        });
    }
    let sort = Sort::datatype(
        "pair",
        vec![
            ConstructorSort {
                name: "none".into(),
                fields: vec![],
            },
            ConstructorSort {
                name: "some".into(),
                fields: vec![
                    ("first".into(), Sort::Int.into()),
                    ("second".into(), Sort::Bool.into()),
                ],
            },
        ],
    );
    reaches(t, &sort, |v| {
        let some = t.construct(&sort, 1, &[t.int(4), t.tt()]);
        vec![
            some,
            t.is(v, 1),
            t.eq(t.field(v, 1, 0), t.int(4)),
            t.field(v, 1, 1),
        ]
    });
    reaches(t, &Sort::Uninterpreted("T".into()), |v| vec![t.eq(v, v)]);
}

#[test]
fn what_cannot_be_evaluated_is_left_to_the_checker() {
    let t = &Terms::new();
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    // assume (forall i :: a[i] == 0): the first run has such a map.
    reaches(t, &sort, |a| {
        let i = t.fresh_bound("i", Sort::Int);
        let zero = t.eq(t.select(a, &[i]), t.int(0));
        vec![t.bind(BinderKind::Forall, &[i], zero, &[])]
    });
}

#[test]
fn the_solver_finds_what_chance_does_not() {
    let t = &Terms::new();
    // while (true) { havoc x, y, z; if (x == 2 * y + 1000003) { if (5000 < y && z == x + y) error } }
    let mut b = Build::new(t, &["x", "y", "z"]);
    let head = b.graph.initial;
    let [chosen, inner] = ["chosen", "inner"].map(|name| b.location(name));
    let error = b.error("error");
    let [a, c] = ["a", "c"].map(|name| b.location(name));
    b.havoc(head, a, "x");
    b.havoc(a, c, "y");
    b.havoc(c, chosen, "z");
    let double = t.mul(&[t.int(2), b.x("y")]);
    let first = t.eq(b.x("x"), t.add(&[double, t.int(1_000_003)]));
    let sum = t.eq(b.x("z"), t.add(&[b.x("x"), b.x("y")]));
    let second = t.and2(t.lt(t.int(5000), b.x("y")), sum);
    for (from, to, condition) in [(chosen, inner, first), (inner, error, second)] {
        b.edge(from, to, condition);
        b.edge(from, head, t.not(condition));
    }
    violated(t, &b.done());
}

#[test]
fn the_same_program_has_the_same_runs() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["x", "y"]);
    let head = b.graph.initial;
    let [chosen, next] = ["chosen", "next"].map(|name| b.location(name));
    let error = b.error("error");
    b.step(head, chosen, t.tt(), &["x", "y"]);
    b.edge(chosen, next, t.lt(b.x("x"), b.x("y")));
    b.edge(chosen, head, t.le(b.x("y"), b.x("x")));
    b.edge(next, error, t.lt(t.add(&[b.x("x"), b.x("y")]), t.int(-7)));
    b.edge(next, head, t.tt());
    let graph = b.done();
    let told = |run: &Run| format!("{:?}", run);
    assert_eq!(told(&violated(t, &graph)), told(&violated(t, &graph)));
}

/// What the deterministic run comes to; a run is confirmed.
fn begun(terms: &Terms, graph: &ProgramGraph) -> DeterministicEnd {
    let control = Control::unlimited();
    let facts = Facts::default();
    let task = Task::of_graph(terms, graph, &control, &facts);
    let mut stats = Statistics::default();
    let found = run_deterministic(&task, &mut stats);
    if let DeterministicEnd::Violated(error, run) = &found {
        let options = Options::default();
        let confirmed = confirm_run(terms, graph, run, &control, &options, &mut stats);
        assert_eq!(confirmed.unwrap().location(), *error);
    }
    assert_eq!(stats.solver_calls, 0);
    found
}

#[test]
fn a_program_without_choices_is_run_at_once() {
    let t = &Terms::new();
    let mut x = 0;
    for _ in 0..1000 {
        x = (5 * x + 3) % 17;
    }
    assert!(matches!(
        begun(t, &rounds(t, 1000, x)),
        DeterministicEnd::Violated(..)
    ));
    assert!(matches!(
        begun(t, &rounds(t, 1000, 18)),
        DeterministicEnd::Whole
    ));
    assert!(matches!(
        begun(t, &rounds(t, 1_000_000, 18)),
        DeterministicEnd::Long
    ));
}

/// Whether the checker believes that error locations are not reached, if that is claimed; and asks no solver.
fn claimed(terms: &Terms, graph: &ProgramGraph) -> Option<Vec<bool>> {
    let control = Control::unlimited();
    let facts = Facts::default();
    let task = Task::of_graph(terms, graph, &control, &facts);
    let found = Execution.run(&task, &mut Statistics::default()).original;
    let claims = Claims {
        invariants: Some(found.invariants?),
        runs: found.runs,
        ..Claims::default()
    };
    let mut checker = Checker::new(terms, graph, &control, &Options::default());
    let mut stats = Statistics::default();
    let verdicts = checker.decide(&claims, &mut stats).into_values();
    assert_eq!(stats.solver_calls, 0);
    Some(verdicts.map(|verdict| verdict.is_safe()).collect())
}

#[test]
fn that_all_runs_were_followed_is_claimed_of_programs_without_choices() {
    let t = &Terms::new();
    assert_eq!(claimed(t, &rounds(t, 20_000, 18)), Some(vec![true]));
    assert_eq!(claimed(t, &rounds(t, 10, 18)), Some(vec![true]));
    let last = (0..20_000).fold(0, |x, _| (5 * x + 3) % 17);
    assert_eq!(claimed(t, &rounds(t, 20_000, last)), Some(vec![false]));
    // x := 0; while (true) { x := (x + 1) mod 5003; if (x == 5003) error }: it goes round for ever.
    let mut b = Build::new(t, &["x"]);
    let start = b.graph.initial;
    let [head, body] = ["head", "body"].map(|name| b.location(name));
    let error = b.error("error");
    b.assign(start, head, "x", t.int(0));
    let next = t.add(&[b.x("x"), t.int(1)]);
    b.assign(head, body, "x", t.modulo(next, t.int(5003)));
    b.edge(body, error, t.eq(b.x("x"), t.int(5003)));
    b.edge(body, head, t.lt(b.x("x"), t.int(5003)));
    assert_eq!(claimed(t, &b.done()), Some(vec![true]));
}

/// `havoc y; a[3] := y; a[4] := 7; assume y > 100; if (condition) error`, where `a` and `k` were never
/// set.
fn half_open(t: &Terms, condition: impl Fn(Term, Term) -> Term) -> DeterministicEnd {
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let mut b = Build::new(t, &["y", "k"]);
    b.graph.variables.insert("a".into(), sort.clone());
    let a = t.current("a", sort.clone());
    let put = |i: i64, value| t.eq(t.next("a", sort.clone()), t.store(a, &[t.int(i)], value));
    let start = b.graph.initial;
    let [first, second, third, last, exit] =
        ["first", "second", "third", "last", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.havoc(start, first, "y");
    b.edge(first, second, put(3, b.x("y")));
    b.edge(second, third, put(4, t.int(7)));
    b.edge(third, last, t.lt(t.int(100), b.x("y")));
    let condition = condition(a, b.x("k"));
    b.edge(last, error, condition);
    b.edge(last, exit, t.not(condition));
    // There is a way on.
    b.edge(exit, error, t.lt(b.x("k"), b.x("k")));
    begun(t, &b.done())
}

#[test]
fn what_is_open_does_not_matter_until_it_decides() {
    let t = &Terms::new();
    let at = |a, i: i64| t.select(a, &[t.int(i)]);
    let found = half_open(t, |a, _| t.eq(at(a, 4), t.int(7)));
    assert!(matches!(found, DeterministicEnd::Violated(..)));
    for open in [
        half_open(t, |a, _| t.eq(at(a, 3), t.int(7))),
        half_open(t, |a, _| t.eq(at(a, 5), t.int(7))),
        half_open(t, |_, k| t.lt(k, t.int(7))),
        half_open(t, |a, k| t.eq(t.select(a, &[k]), t.int(7))),
        half_open(t, |a, k| t.eq(t.add(&[at(a, 4), k]), k)),
    ] {
        assert!(matches!(
            open,
            DeterministicEnd::Over | DeterministicEnd::Whole
        ));
    }
    // One part decides.
    let found = half_open(t, |a, k| {
        t.or([t.lt(k, t.int(7)), t.eq(at(a, 4), t.int(7))])
    });
    assert!(matches!(found, DeterministicEnd::Violated(..)));
}

#[test]
fn inputs_with_which_a_run_gets_stuck_are_chosen_anew() {
    let t = &Terms::new();
    // n := 0; while (n < 60) { havoc x; assume x is 5, 77 or 1234, in a way that is not seen ahead; n++ }
    let mut b = Build::new(t, &["x", "n"]);
    let start = b.graph.initial;
    let [head, body, chosen, good, exit] =
        ["head", "body", "chosen", "good", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.assign(start, head, "n", t.int(0));
    b.edge(head, body, t.lt(b.x("n"), t.int(60)));
    b.havoc(body, chosen, "x");
    for value in [5, 77, 1234] {
        b.edge(chosen, good, t.eq(b.x("x"), t.int(value)));
    }
    b.assign(good, head, "n", t.add(&[b.x("n"), t.int(1)]));
    b.edge(head, exit, t.le(t.int(60), b.x("n")));
    b.edge(exit, error, t.eq(b.x("x"), t.int(1234)));
    violated(t, &b.done());
}

#[test]
fn a_run_may_choose_the_same_again_and_again() {
    let t = &Terms::new();
    // havoc y; for (n := 0; n < 3000; n++) { havoc x; assume x < y } error
    let mut b = Build::new(t, &["x", "y", "n"]);
    let start = b.graph.initial;
    let [a, head, body, chosen] = ["a", "head", "body", "chosen"].map(|name| b.location(name));
    let error = b.error("error");
    b.havoc(start, a, "y");
    b.assign(a, head, "n", t.int(0));
    b.edge(head, body, t.lt(b.x("n"), t.int(3000)));
    b.havoc(body, chosen, "x");
    let next = t.add(&[b.x("n"), t.int(1)]);
    let step = |condition| t.and2(condition, t.eq(t.next("n", Sort::Int), next));
    b.edge(chosen, head, step(t.lt(b.x("x"), b.x("y"))));
    b.edge(head, error, t.le(t.int(3000), b.x("n")));
    violated(t, &b.done());
}
