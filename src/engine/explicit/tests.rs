//! What explicit values decide in small graphs, confirmed by the checker.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::symbols::Symbols;
use super::*;
use crate::samples::Build;
use ult_check::{Checker, Claims, Options, Verdict};
use ult_core::control::Control;
use ult_core::formula::{Function, Sort, Terms};
use ult_core::graph::Transition;
use ult_core::persistent::Set;

use crate::facts::Facts;

/// `SAFE`, `UNSAFE` or why it is not known, by name of the error location; each confirmed.
fn decide(terms: &Terms, graph: &ProgramGraph) -> BTreeMap<String, String> {
    let control = Control::unlimited();
    let mut stats = Statistics::default();
    let facts = Facts::default();
    let task = Task::of_graph(terms, graph, &control, &facts);
    let outcome = ExplicitValues.run(&task, &mut stats).original;
    let claims = Claims {
        runs: outcome.runs,
        invariants: outcome.invariants,
        undecided: outcome.undecided,
    };
    let mut checker = Checker::new(terms, graph, &control, &Options::default());
    let verdicts = checker.decide(&claims, &mut stats);
    let told = verdicts.into_iter().map(|(location, verdict)| {
        let told = match verdict {
            Verdict::Safe(_) => "SAFE".to_owned(),
            Verdict::Unsafe(_) => "UNSAFE".to_owned(),
            Verdict::Unknown(reason) => reason.to_string(),
        };
        (graph.graph[location].name.to_string(), told)
    });
    told.collect()
}

fn only(terms: &Terms, graph: &ProgramGraph) -> String {
    let decided = decide(terms, graph);
    assert_eq!(decided.len(), 1, "{decided:?}");
    decided.into_values().collect()
}

/// `x := 0; while (x < 7) { x := x + 1; } assert x == wanted;`
fn counts_to_seven(terms: &Terms, wanted: i64) -> ProgramGraph {
    let mut b = Build::new(terms, &["x"]);
    let (start, x) = (b.graph.initial, b.x("x"));
    let (head, body, bad) = (b.location("head"), b.location("body"), b.error("bad"));
    let int = |value: i64| terms.int(value);
    b.assign(start, head, "x", int(0));
    b.edge(head, body, terms.lt(x, int(7)));
    b.assign(body, head, "x", terms.add(&[x, int(1)]));
    b.edge(
        head,
        bad,
        terms.and2(terms.ge(x, int(7)), terms.neq(x, int(wanted))),
    );
    b.done()
}

#[test]
fn a_loop_of_known_length_is_run_through() {
    let terms = Terms::new();
    assert_eq!(only(&terms, &counts_to_seven(&terms, 7)), "SAFE");
    assert_eq!(only(&terms, &counts_to_seven(&terms, 6)), "UNSAFE");
}

/// Squares of squares are forgotten when they get long: after forty rounds, a number would have more digits than there is
/// memory.
#[test]
fn numbers_that_grow_beyond_measure_are_forgotten() {
    // x := 3; while (*) x := x * x; assert x >= 0
    let terms = Terms::new();
    let mut b = Build::new(&terms, &["x"]);
    let (start, x) = (b.graph.initial, b.x("x"));
    let (head, bad) = (b.location("head"), b.error("bad"));
    b.assign(start, head, "x", terms.int(3));
    b.assign(head, head, "x", terms.mul(&[x, x]));
    b.edge(head, bad, terms.lt(x, terms.int(0)));
    let told = only(&terms, &b.done());
    assert!(told.contains("explicit values say too little"), "{told}");
}

#[test]
fn unknown_values_are_compared() {
    // y := x + 2; z := x; while (*) { y, z := y + 1, z + 1; } assert y == z + difference
    for (difference, verdict) in [(2, "SAFE"), (3, "UNSAFE")] {
        let terms = Terms::new();
        let mut b = Build::new(&terms, &["x", "y", "z"]);
        let (start, x, y, z) = (b.graph.initial, b.x("x"), b.x("y"), b.x("z"));
        let (one, head, mid, bad) = (
            b.location("one"),
            b.location("head"),
            b.location("mid"),
            b.error("bad"),
        );
        b.assign(start, one, "y", terms.add(&[x, terms.int(2)]));
        b.assign(one, head, "z", x);
        b.assign(head, mid, "y", terms.add(&[y, terms.int(1)]));
        b.assign(mid, head, "z", terms.add(&[z, terms.int(1)]));
        b.edge(
            head,
            bad,
            terms.neq(y, terms.add(&[z, terms.int(difference)])),
        );
        let graph = b.done();
        assert_eq!(only(&terms, &graph), verdict);
    }
}

#[test]
fn ranges_of_inputs_are_known() {
    // havoc x; assume 1 <= x <= 3; if (x == 1) y := 5 else if (x == 2) y := 6 else y := x + 4
    for (wanted, verdict) in [(5, "SAFE"), (6, "UNSAFE")] {
        let terms = Terms::new();
        let mut b = Build::new(&terms, &["x", "y"]);
        let (start, x, y) = (b.graph.initial, b.x("x"), b.x("y"));
        let int = |value: i64| terms.int(value);
        let (a, c, d, e, bad) = (
            b.location("a"),
            b.location("c"),
            b.location("d"),
            b.location("e"),
            b.error("bad"),
        );
        b.havoc(start, a, "x");
        b.edge(a, c, terms.and2(terms.le(int(1), x), terms.le(x, int(3))));
        let is = |value: i64| terms.eq(x, int(value));
        let set =
            |condition, value| terms.and2(condition, terms.eq(terms.next("y", Sort::Int), value));
        b.edge(c, d, set(is(1), int(5)));
        b.edge(c, e, terms.not(is(1)));
        b.edge(e, d, set(is(2), int(6)));
        b.edge(e, d, set(terms.not(is(2)), terms.add(&[x, int(4)])));
        b.edge(d, bad, terms.lt(y, int(wanted)));
        let graph = b.done();
        assert_eq!(only(&terms, &graph), verdict, "{wanted}");
    }
}

#[test]
fn what_a_way_that_no_run_takes_needs_is_kept() {
    // assume x * y < x + y - 9; loop; assume x * y >= x + y - less: with 9, no run; with 10, one.
    for (less, verdict) in [(9, "SAFE"), (10, "UNSAFE")] {
        let terms = Terms::new();
        let mut b = Build::new(&terms, &["x", "y"]);
        let (start, x, y) = (b.graph.initial, b.x("x"), b.x("y"));
        let (a, bad) = (b.location("a"), b.error("bad"));
        let product = terms.mul(&[x, y]);
        let sum = |less: i64| terms.add(&[x, y, terms.int(-less)]);
        b.edge(start, a, terms.lt(product, sum(9)));
        b.edge(a, a, terms.tt());
        b.edge(a, bad, terms.le(sum(less), product));
        assert_eq!(only(&terms, &b.done()), verdict, "{less}");
    }
}

#[test]
fn elements_of_maps_are_known() {
    // m := some map; m[3] := 1; m[2] := 5; assume m[7] == 4; m[3] := m[2] + m[7]; assert m[3] == wanted
    for (wanted, verdict) in [(9, "SAFE"), (8, "UNSAFE")] {
        let terms = Terms::new();
        let sort = Sort::map(vec![Sort::Int], Sort::Int);
        let mut b = Build::new(&terms, &[]);
        b.graph.variables.insert("m".into(), sort.clone());
        let m = terms.current("m", sort.clone());
        let next = terms.next("m", sort);
        let int = |value: i64| terms.int(value);
        let at = |index: i64| terms.select(m, &[int(index)]);
        let set = |index: i64, value| terms.eq(next, terms.store(m, &[int(index)], value));
        let start = b.graph.initial;
        let places: Vec<LocationId> = (0..4).map(|n| b.location(&format!("l{n}"))).collect();
        let bad = b.error("bad");
        b.edge(start, places[0], set(3, int(1)));
        b.edge(places[0], places[1], set(2, int(5)));
        b.edge(places[1], places[2], terms.eq(at(7), int(4)));
        b.edge(places[2], places[3], set(3, terms.add(&[at(2), at(7)])));
        b.edge(places[3], places[0], terms.ff());
        b.edge(places[3], bad, terms.neq(at(3), int(wanted)));
        let graph = b.done();
        assert_eq!(only(&terms, &graph), verdict);
    }
}

#[test]
fn constants_are_no_numbers() {
    // m[i] := 1; m[j] := 2; assert m[i] == 1, for constants of which nothing is known
    for [i, j] in [[0, 1], [1, 0]] {
        let terms = Terms::new();
        let sort = Sort::map(vec![Sort::Int], Sort::Int);
        let mut b = Build::new(&terms, &[]);
        b.graph.variables.insert("m".into(), sort.clone());
        let (m, next) = (terms.current("m", sort.clone()), terms.next("m", sort));
        let constants = ["c", "d"].map(|name| {
            let constant = Arc::new(Function {
                name: name.into(),
                params: Vec::new(),
                result: Sort::Int,
            });
            b.graph.functions.push(constant.clone());
            terms.apply(&constant, &[])
        });
        let (i, j) = ([constants[i]], [constants[j]]);
        let set = |index, value: i64| terms.eq(next, terms.store(m, index, terms.int(value)));
        let (start, one, two) = (b.graph.initial, b.location("one"), b.location("two"));
        let bad = b.error("bad");
        b.edge(start, one, set(&i, 1));
        b.edge(one, two, set(&j, 2));
        b.edge(two, one, terms.ff());
        b.edge(two, bad, terms.neq(terms.select(m, &i), terms.int(1)));
        assert_eq!(only(&terms, &b.done()), "UNSAFE");
    }
}

#[test]
fn maps_of_which_nothing_is_known_have_nothing_in_common() {
    // What an earlier state called the rest of a map is another rest than in this one.
    let terms = Terms::new();
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let mut b = Build::new(&terms, &[]);
    for name in ["k", "m", "n"] {
        b.graph.variables.insert(name.into(), sort.clone());
    }
    let graph = b.done();
    let rest = |number| Symbols::map_of(&terms, number, &sort);
    let with = |map, value: i64| terms.store(map, &[terms.int(0)], terms.int(value));
    let mut work = Work::anything(&graph);
    let values = [rest(1), with(rest(0), 5), with(rest(7), 6)];
    for (variable, value) in values.into_iter().enumerate() {
        work.set(variable, Some(value));
    }
    let mut all = Set::new(3);
    (0..3).for_each(|number| all.insert(number));
    let mut tracked = FixedBitSet::with_capacity(3);
    tracked.insert_range(..);
    let state = work.state(&terms, &Symbols::default(), &all, &tracked);
    let formulas = state.formula(&terms, &graph, &all);
    let [m, n] = ["m", "n"].map(|name| terms.current(name, sort.clone()));
    let zero = [terms.int(0)];
    let expected = [(m, 5), (n, 6)];
    let expected =
        expected.map(|(map, value)| terms.eq(terms.select(map, &zero), terms.int(value)));
    assert_eq!(formulas, expected);
}

#[test]
fn what_cannot_reach_an_error_is_not_explored() {
    // A loop without end and without an error behind it.
    let terms = Terms::new();
    let mut graph = counts_to_seven(&terms, 7);
    let (head, x) = (LocationId::new(1), terms.current("x", Sort::Int));
    let turn = graph
        .graph
        .add_node(ult_core::graph::Location::named("turn"));
    for (from, transition) in [
        (head, Transition::assume(terms.gt(x, terms.int(6)))),
        (
            turn,
            Transition::assign(&terms, &"x".into(), terms.add(&[x, terms.int(1)])),
        ),
    ] {
        let edge = ult_core::graph::Edge::new(transition, None);
        graph.graph.add_edge(from, turn, edge);
    }
    assert_eq!(only(&terms, &graph), "SAFE");
}

#[test]
fn error_locations_are_told_apart() {
    let terms = Terms::new();
    let mut graph = counts_to_seven(&terms, 7);
    let worse = graph.graph.add_node(ult_core::graph::Location {
        error: Some("violated".into()),
        ..ult_core::graph::Location::named("worse")
    });
    let (body, x) = (LocationId::new(2), terms.current("x", Sort::Int));
    let transition = Transition::assume(terms.eq(x, terms.int(5)));
    graph
        .graph
        .add_edge(body, worse, ult_core::graph::Edge::new(transition, None));
    let decided = decide(&terms, &graph);
    assert_eq!(decided["bad"], "SAFE");
    assert_eq!(decided["worse"], "UNSAFE");
}
