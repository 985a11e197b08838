//! The single reductions on readable examples.

use super::explore::check_run;
use super::{Builder, show};
use crate::constants::constants;
use crate::dead::dead;
use crate::prune::prune;
use crate::{Blocks, ReduceOptions, Reduced, blocks::blocks, reduce};
use ult_core::formula::{BinderKind, Function, Sort, Term, Terms, Value, Version};
use ult_core::graph::evidence::{Invariants, RigidMeaning, Run, State, Step};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph, Transition};

fn find(graph: &ProgramGraph, name: &str) -> LocationId {
    let mut locations = graph.graph.node_indices();
    locations
        .find(|&l| *graph.graph[l].name == *name)
        .expect(name)
}

/// The invariants that come back, for the given ones at locations of the reduced graph.
fn invariants_back(
    terms: &Terms,
    original: &ProgramGraph,
    reduced: &Reduced,
    at: &[(&str, Term)],
) -> Vec<String> {
    let at = at.iter();
    let invariants = Invariants {
        at: at
            .map(|&(name, formula)| (find(&reduced.graph, name), formula))
            .collect(),
        ..Invariants::default()
    };
    let back = reduced.back.invariants(terms, &invariants);
    let show = |(location, formula): (&LocationId, &Term)| {
        format!(
            "{}: {}",
            original.graph[*location].name,
            terms.display(*formula)
        )
    };
    back.at.iter().map(show).collect()
}

fn state(values: &[(&str, i32)]) -> State {
    let values = values.iter();
    values
        .map(|&(name, value)| (name.into(), Value::int(value)))
        .collect()
}

fn step(edge: usize, aux: &[(u32, i32)], values: &[(&str, i32)]) -> Step {
    let aux = aux
        .iter()
        .map(|&(number, value)| (number, Value::int(value)));
    Step::new(EdgeId::new(edge), aux.collect(), state(values))
}

fn run(start: &[(&str, i32)], steps: Vec<Step>) -> Run {
    Run::new(state(start), steps, RigidMeaning::default())
}

#[test]
fn pruning_keeps_what_lies_on_a_way_to_an_error() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    b.skip("start", "1");
    b.skip("1", "error");
    b.skip("1", "end");
    b.skip("end", "end");
    b.assume("1", "2", terms.ff());
    b.skip("2", "error");
    b.skip("lost", "1");
    let reduced = prune(&terms, &b.graph);
    let expected = "start -> 1: true changes {}\n1 -> error: true changes {}";
    assert_eq!(show(&terms, &reduced.graph), expected);
    let x = terms.eq(b.var("x"), terms.int(1));
    // Removed locations: `false` where nothing comes, `true` where no error follows.
    assert_eq!(
        invariants_back(&terms, &b.graph, &reduced, &[("1", x)]),
        ["1: x == 1", "end: true", "2: false", "lost: false"]
    );
}

#[test]
fn a_graph_without_errors_becomes_one_location() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    b.skip("start", "loop");
    b.skip("loop", "loop");
    b.assume("loop", "error", terms.ff());
    let reduced = reduce(&terms, &b.graph, &ReduceOptions::default());
    assert_eq!(reduced.graph.graph.node_count(), 1);
    assert_eq!(show(&terms, &reduced.graph), "");
    assert_eq!(
        invariants_back(&terms, &b.graph, &reduced, &[]),
        ["loop: true", "error: false"]
    );
}

#[test]
fn an_initial_error_location_is_kept() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    let initial = b.graph.initial;
    b.graph.graph[initial].error = Some("at once".into());
    let reduced = reduce(&terms, &b.graph, &ReduceOptions::default());
    assert_eq!(
        reduced.graph.errors().collect::<Vec<_>>(),
        [reduced.graph.initial]
    );
}

#[test]
fn constants_meet_at_joins_and_decide_conditions() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "y", "z"]);
    let (x, y, z) = (b.var("x"), b.var("y"), b.var("z"));
    b.assign("start", "1", "x", terms.int(1));
    b.assume("1", "2", terms.gt(z, x));
    b.assume("1", "3", terms.le(z, x));
    b.assign("2", "4", "y", b.plus("x", 1));
    b.assign("3", "4", "y", b.plus("x", 2));
    b.assume("4", "5", terms.eq(z, terms.int(7)));
    b.assume("5", "error", terms.eq(terms.add(&[x, y, z]), terms.int(10)));
    b.assume("5", "other", terms.neq(x, terms.int(1)));
    let reduced = constants(&terms, &b.graph);
    let expected = "\
start -> 1: x' == 1 changes {x}
1 -> 2: 1 < z changes {}
1 -> 3: z <= 1 changes {}
2 -> 4: y' == 2 changes {y}
3 -> 4: y' == 3 changes {y}
4 -> 5: z == 7 changes {}
5 -> error: y + 8 == 10 changes {}
5 -> other: false changes {}";
    assert_eq!(show(&terms, &reduced.graph), expected);
    let yes = terms.tt();
    // Known values come back at the locations that have an invariant, for live variables.
    assert_eq!(
        invariants_back(
            &terms,
            &b.graph,
            &reduced,
            &[("4", terms.gt(y, x)), ("5", yes), ("error", yes)]
        ),
        ["4: x == 1 && x < y", "5: x == 1 && z == 7", "error: true"]
    );
}

#[test]
fn a_loop_that_cannot_repeat_keeps_its_head() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "y"]);
    let (x, y) = (b.var("x"), b.var("y"));
    let zero = terms.int(0);
    b.assume(
        "start",
        "loop",
        terms.and([terms.eq(x, zero), terms.gt(y, zero)]),
    );
    let mut back = Transition::assign(&terms, &"y".into(), terms.int(-1));
    back.formula = terms.and2(back.formula, terms.neq(x, zero));
    b.edge("loop", "loop", back);
    b.assume("loop", "error", terms.lt(y, zero));
    let reduced = reduce(&terms, &b.graph, &ReduceOptions::default());
    // The self loop is impossible, since x is 0. Still its head must get an invariant: that
    // y is positive.
    let expected = "\
start -> loop: x == 0 && 0 < y changes {}
loop -> error: y < 0 changes {}";
    assert_eq!(show(&terms, &reduced.graph), expected);
    assert_eq!(
        invariants_back(
            &terms,
            &b.graph,
            &reduced,
            &[("loop", terms.gt(y, zero)), ("error", terms.ff())]
        ),
        ["loop: x == 0 && 0 < y", "error: false"]
    );
}

#[test]
fn dead_values_are_dropped_and_come_back() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "count"]);
    b.assign("start", "loop", "count", terms.int(0));
    b.assign("loop", "1", "count", b.plus("count", 1));
    b.assign("1", "loop", "x", b.plus("x", -1));
    b.assume("loop", "error", terms.eq(b.var("x"), terms.int(0)));
    let reduced = dead(&terms, &b.graph);
    // `count` is read by its own assignments only.
    let expected = "\
start -> loop: true changes {count}
loop -> 1: true changes {count}
1 -> loop: x - 1 == x' changes {x}
loop -> error: x == 0 changes {}";
    assert_eq!(show(&terms, &reduced.graph), expected);
    let steps = vec![
        step(0, &[], &[("x", 1), ("count", 70)]),
        step(1, &[], &[("x", 1), ("count", 80)]),
        step(2, &[], &[("x", 0), ("count", 80)]),
        step(3, &[], &[("x", 0), ("count", 80)]),
    ];
    let reduced_run = run(&[("x", 1), ("count", 60)], steps);
    let error = find(&b.graph, "error");
    assert_eq!(
        check_run(&terms, &reduced.graph, &reduced_run, error),
        Ok(())
    );
    let back = reduced.back.run(&terms, reduced_run).unwrap();
    assert_eq!(check_run(&terms, &b.graph, &back, error), Ok(()));
    assert_eq!(back.steps[1].value("count"), Some(&Value::int(1)));
    // A step says nothing of what it does not change.
    assert_eq!(back.steps[2].value("count"), None);
    assert!(back.steps[3].values().is_empty());
}

#[test]
fn blocks_forget_which_way_only_where_it_does_not_matter() {
    // Both branches do the same to x; the condition on y vanishes from the formula.
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "y"]);
    let zero = terms.int(0);
    b.havoc("start", "0", &["y"]);
    b.assume("0", "1", terms.eq(b.var("y"), zero));
    b.assume("0", "1", terms.neq(b.var("y"), zero));
    b.assume("1", "error", terms.eq(b.var("x"), zero));
    let reduced = blocks(&terms, &b.graph, Blocks::Large, &[false; 4]);
    assert_eq!(
        show(&terms, &reduced.graph),
        "start -> error: x == 0 changes {}"
    );
    let start = [("x", 0), ("y", 5)];
    let back = reduced
        .back
        .run(&terms, run(&start, vec![step(0, &[], &start)]))
        .unwrap();
    assert_eq!(
        check_run(&terms, &b.graph, &back, find(&b.graph, "error")),
        Ok(())
    );
}

#[test]
fn runs_that_begin_alike_come_back_wherever_they_part() {
    // A row of idle edges that errors leave on the way, one of them around a diamond, behind a choice that depends on the state.
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    let (zero, x) = (terms.int(0), b.var("x"));
    b.assume("start", "low", terms.lt(x, zero));
    b.assume("start", "high", terms.le(zero, x));
    b.skip("low", "0");
    b.skip("high", "0");
    for place in 0..6 {
        let [here, next] = [place, place + 1].map(|place| place.to_string());
        b.skip(&here, &next);
        if place % 2 == 0 {
            b.skip(&here, &format!("side {here}"));
            b.skip(&format!("side {here}"), &format!("error {here}"));
        }
        if place == 3 {
            b.skip(&here, "around");
            b.skip("around", &next);
        }
    }
    b.skip("6", "error 6");
    let reduced = blocks(&terms, &b.graph, Blocks::Large, &[false; 20]);
    let mut ends = 0;
    for edge in reduced.graph.graph.edge_indices() {
        for value in [-1, 1] {
            let start = [("x", value)];
            let claim = run(&start, vec![step(edge.index(), &[], &start)]);
            let back = reduced.back.run(&terms, claim).expect("a way back");
            let (_, end) = reduced.graph.graph.edge_endpoints(edge).unwrap();
            let end = reduced.back.location(end);
            assert_eq!(check_run(&terms, &b.graph, &back, end), Ok(()));
            ends += 1;
        }
    }
    assert_eq!(ends, 8, "four errors, two states");
}

#[test]
fn an_arbitrary_value_is_the_one_that_the_run_has_later() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "y"]);
    let zero = terms.int(0);
    b.havoc("start", "1", &["x"]);
    b.assume("1", "loop", terms.gt(b.var("x"), zero));
    b.assign("loop", "loop", "x", b.plus("x", -1));
    b.assume("loop", "error", terms.eq(b.var("x"), zero));
    let reduced = blocks(&terms, &b.graph, Blocks::Large, &[false; 4]);
    let formula = show(&terms, &reduced.graph);
    assert!(
        formula.starts_with("start -> loop: 0 < x' changes {x}\n"),
        "{formula}"
    );
    let steps = vec![
        step(0, &[], &[("x", 1), ("y", 4)]),
        step(1, &[], &[("x", 0), ("y", 4)]),
        step(2, &[], &[("x", 0), ("y", 4)]),
    ];
    let back = reduced
        .back
        .run(&terms, run(&[("x", -3), ("y", 4)], steps))
        .unwrap();
    assert_eq!(
        check_run(&terms, &b.graph, &back, find(&b.graph, "error")),
        Ok(())
    );
}

#[test]
fn an_auxiliary_that_two_edges_use_stands_for_two_values() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    let aux = terms.var("a", Version::Aux(0), Sort::Int);
    let next = terms.next("x", Sort::Int);
    let label = |more| Transition {
        formula: terms.and2(terms.eq(next, aux), more),
        changed: ["x".into()].into(),
    };
    b.edge("start", "1", label(terms.gt(aux, terms.int(0))));
    b.edge("1", "2", label(terms.lt(aux, b.var("x"))));
    b.skip("2", "error");
    let reduced = blocks(&terms, &b.graph, Blocks::Large, &[false; 4]);
    assert_eq!(
        show(&terms, &reduced.graph),
        "start -> error: 0 < a~1 && a~2 < a~1 changes {}"
    );
}

#[test]
fn a_symbol_that_only_dead_values_use_gets_a_meaning() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "y"]);
    let function = std::sync::Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    b.graph.functions.push(function.clone());
    b.assign("start", "1", "y", terms.apply(&function, &[b.var("x")]));
    b.assume("1", "error", terms.eq(b.var("x"), terms.int(0)));
    let start = [("x", 0), ("y", 5)];
    let reduced = reduce(&terms, &b.graph, &ReduceOptions::default());
    let claim = run(&start, vec![step(0, &[], &start)]);
    let back = reduced.back.run(&terms, claim).unwrap();
    assert!(back.rigid.functions.contains_key("f"));
    assert_eq!(
        check_run(&terms, &b.graph, &back, find(&b.graph, "error")),
        Ok(())
    );
}

#[test]
fn a_run_through_a_quantified_condition_is_left_to_the_checker() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    let bound = terms.fresh_bound("i", Sort::Int);
    let forall = |body| terms.bind(BinderKind::Forall, &[bound], body, &[]);
    let (x, zero) = (b.var("x"), terms.int(0));
    let low = forall(terms.lt(x, terms.mul(&[bound, bound])));
    b.assume("start", "1", low);
    b.assign("1", "2", "x", terms.int(3));
    b.assume("start", "2", terms.eq(x, zero));
    b.assume("2", "error", terms.eq(x, terms.int(3)));
    // A run that assigns 3 to x on its way.
    let claim = |reduced: &Reduced| {
        let formula = reduced.graph.graph[EdgeId::new(0)].transition.formula;
        let mut only = step(0, &[], &[("x", 3)]);
        for variable in terms.free_vars(&[formula]) {
            if let Some(Version::Aux(number)) = terms.as_var(variable).map(|var| var.version) {
                only.aux_mut().insert(number, Value::int(3));
            }
        }
        reduced.back.run(&terms, run(&[("x", -1)], vec![only]))
    };
    // x is not 0, so the run came through the condition that cannot be evaluated.
    let reduced = blocks(&terms, &b.graph, Blocks::Large, &[false; 4]);
    let back = claim(&reduced).unwrap();
    let edges: Vec<_> = back.steps.iter().map(|step| step.edge.index()).collect();
    assert_eq!(edges, [0, 1, 3]);
    // With two such conditions nothing tells which one.
    let other = forall(terms.lt(x, bound));
    b.edge("start", "1", Transition::assume(other));
    let reduced = blocks(&terms, &b.graph, Blocks::Large, &[false; 4]);
    let error = claim(&reduced).unwrap_err();
    assert!(error.contains("is not known"), "{error}");
}

#[test]
fn a_run_that_does_not_fit_is_refused() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    b.assume("start", "1", terms.gt(b.var("x"), terms.int(0)));
    b.assign("1", "2", "x", b.plus("x", 1));
    b.assume("2", "error", terms.eq(b.var("x"), terms.int(2)));
    for style in [Blocks::Sequence, Blocks::Large] {
        let reduced = blocks(&terms, &b.graph, style, &[false; 4]);
        let claim = |x| run(&[("x", x)], vec![step(0, &[], &[("x", x + 1)])]);
        assert_eq!(reduced.back.run(&terms, claim(1)).unwrap().steps.len(), 3);
        assert!(reduced.back.run(&terms, claim(7)).is_err());
        let nowhere = run(&[("x", 1)], vec![step(9, &[], &[("x", 2)])]);
        assert!(reduced.back.run(&terms, nowhere).is_err());
    }
}
